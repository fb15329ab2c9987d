import { isCountryCode } from '@storekeep/proto/conventions/countries'
import type { PagesContext } from '../context.ts'
import type { PageRequest } from './route.ts'

/** The country of the shopper's address, from the header that a proxy sets. Undefined without that setting, and if unknown. */
export function ipCountryOf({ config }: PagesContext, { req }: PageRequest): string | undefined {
  const header = config.countryHeader === undefined ? undefined : req.headers[config.countryHeader]
  const country = typeof header === 'string' ? header.trim().toUpperCase() : ''
  return isCountryCode(country) ? country : undefined
}
