import { isIP } from 'node:net'
import { fails } from '@storekeep/records/schemas/fields'
import { z } from 'zod'

/** Characters of the longest address. There is no format for both kinds that client generators understand. */
const ipLength = 45

/**
 * Optional headers of every storefront call, in addition to `x-service-store-id`. They describe the customer for tax and
 * fraud checks. Anyone can forge them, so rate limits use the address of the peer instead. An empty value counts as
 * absent.
 */
export const storefrontHeaders = z.object({
  'x-service-customer-ip': z
    .string()
    .refine(
      (address) => address === '' || (isIP(address) !== 0 && !address.includes('%')),
      fails('format', 'must be an IPv4 or IPv6 address'),
    )
    .transform((address) => address || undefined)
    .optional()
    .meta({
      description: 'IPv4 or IPv6 address of the customer, when a server calls on their behalf.',
      override: { maxLength: ipLength },
    }),
  'x-service-customer-countrycode': z
    .string()
    .refine(
      (code) => /^(?:[A-Z]{2}|T1|)$/i.test(code),
      fails('pattern', 'must be an ISO 3166-1 alpha-2 code such as DE, or XX or T1'),
    )
    .transform((code) => code.toUpperCase() || undefined)
    .optional()
    .meta({
      description:
        'Country of the customer as a case-insensitive ISO 3166-1 alpha-2 code. Takes precedence over the IP address. `XX` ' +
        'and `T1`, which CDNs send for unknown countries and Tor, are accepted.',
      override: { pattern: '^([A-Za-z]{2}|[Tt]1)$' },
    }),
})

/** The names of these headers in the original interface, and ours. `renameHeaders` applies them. */
export const headerAliases = [
  ['x-paynow-store-id', 'x-service-store-id'],
  ['x-paynow-customer-ip', 'x-service-customer-ip'],
  ['x-paynow-customer-countrycode', 'x-service-customer-countrycode'],
] as const
