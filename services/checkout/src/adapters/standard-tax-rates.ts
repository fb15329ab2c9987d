import { euCountries } from '@storekeep/proto/conventions/countries'
import salesTax from 'sales-tax'

/** The standard VAT rates of the EU, from the package `sales-tax`, which also knows changes that take effect later. */
export const standardTaxRates = {
  /** The day of the package's version, which its changelog names. A new version needs a new day. */
  asOf: '2026-05-19',
  /** @returns hundredths of a percent; null outside of the EU */
  async get(country: string): Promise<number | null> {
    if (!euCountries.has(country)) return null
    const { rate } = await salesTax.getSalesTax(country)
    return Math.round(rate * 10_000)
  },
}

export type StandardTaxRates = typeof standardTaxRates
