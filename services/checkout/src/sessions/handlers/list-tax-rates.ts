import { euCountries } from '@storekeep/proto/conventions/countries'
import type { AppContext, CheckoutHandlers } from '../../context.ts'

export function listTaxRates({ clock, standardTaxRates }: AppContext): CheckoutHandlers['listTaxRates'] {
  return async () => {
    const now = clock.now()
    const rates = [...euCountries].map((country) => ({ country, rate: standardTaxRates.get(country, now) ?? 0 }))
    return { rates, asOf: standardTaxRates.asOf }
  }
}
