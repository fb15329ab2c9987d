import { euCountries } from '@storekeep/proto/conventions/countries'
// Only the data: the code of the package calls registers of VAT ids through deprecated interfaces of Node.
import data from 'sales-tax/res/sales_tax_rates.json' with { type: 'json' }

/** The standard VAT rates of the EU, from the data of the package `sales-tax`, which also has changes that take effect later. */
export const standardTaxRates = {
  /** The day of the package's version, which its changelog names. A new version needs a new day. */
  asOf: '2026-05-19',
  /** @returns hundredths of a percent at that time; null outside of the EU */
  get(country: string, at: Date): number | null {
    const current = euCountries.has(country) ? rates[country] : undefined
    return current ? Math.round(rateAt(current, at) * 10_000) : null
  },
}

export type StandardTaxRates = typeof standardTaxRates

interface Rate {
  rate: number
  /** Earlier rates by the time at which they ended. */
  before?: Record<string, { rate: number }>
}

const rates: Readonly<Record<string, Rate>> = data

function rateAt({ rate, before = {} }: Rate, at: Date): number {
  const ended = Object.keys(before)
    .filter((end) => at.getTime() < Date.parse(end))
    .sort((a, b) => Date.parse(a) - Date.parse(b))
  return before[ended[0] ?? '']?.rate ?? rate
}
