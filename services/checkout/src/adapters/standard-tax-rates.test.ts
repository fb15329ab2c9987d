import { euCountries } from '@storekeep/proto/conventions/countries'
import { describe, expect, it } from 'vitest'
import { standardTaxRates } from './standard-tax-rates.ts'

describe('the standard rates', () => {
  it.each([
    ['DE', '2026-11-25T00:00:00Z', 1900],
    ['DE', '2020-12-31T21:59:59Z', 1600],
    ['DE', '2020-12-31T22:00:00Z', 1900],
    ['DE', '2020-06-01T00:00:00Z', 1900],
    ['EE', '2025-06-30T20:59:59Z', 2200],
    ['EE', '2025-06-30T21:00:00Z', 2400],
    ['US', '2026-11-25T00:00:00Z', null],
    ['toString', '2026-11-25T00:00:00Z', null],
  ])('of %s at %s', (country, at, rate) => {
    expect(standardTaxRates.get(country, new Date(at))).toBe(rate)
  })

  it('exist for every country of the EU', () => {
    const at = new Date('2026-11-25T00:00:00Z')
    const missing = [...euCountries].filter((country) => !((standardTaxRates.get(country, at) ?? 0) >= 1500))
    expect(missing).toEqual([])
  })
})
