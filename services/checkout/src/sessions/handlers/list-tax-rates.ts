import { euCountries } from '@storekeep/proto/conventions/countries'
import type { AppContext, CheckoutHandlers } from '../../context.ts'

export function listTaxRates({ standardTaxRates }: AppContext): CheckoutHandlers['listTaxRates'] {
  return async () => {
    const rates = await Promise.all(
      [...euCountries].map(async (country) => ({ country, rate: (await standardTaxRates.get(country)) ?? 0 })),
    )
    return { rates, asOf: standardTaxRates.asOf }
  }
}
