import { checkVAT, countries } from 'jsvat-next'

/**
 * The VAT id of a country of the EU in its official form, with the prefix of the country.
 * @param text as entered, with or without the prefix, spaces, periods, hyphens and slashes
 * @returns undefined unless it has the form and the check digits of the country
 */
export function parseTaxId(country: string, text: string): string | undefined {
  const formats = countries.filter(({ codes }) => codes[0] === country)
  const number = text.toUpperCase().replace(/[\s./-]/g, '')
  const prefix = prefixes[country] ?? country
  for (const candidate of [number, prefix + number, prefix + number.slice(2)]) {
    if (candidate.startsWith(prefix) && checkVAT(candidate, formats).isValid) return candidate
  }
  return undefined
}

/** VAT ids of Greece start with the code of its language, not of the country. */
const prefixes: Readonly<Record<string, string>> = { GR: 'EL' }
