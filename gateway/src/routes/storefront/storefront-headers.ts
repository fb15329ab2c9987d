import { isIP } from 'node:net'
import { z } from 'zod'
import { fails } from '../../schemas/fields.ts'

/**
 * Headers that every storefront call takes, beside `x-service-store-id`. They describe the customer for tax and fraud;
 * anyone can write them, so they never stand in for the caller's own address.
 */
export const storefrontHeaders = z.object({
  'x-service-customer-ip': z
    .string()
    .refine(
      (address) => isIP(address) !== 0 && !address.includes('%'),
      fails('format', 'must be an IPv4 or IPv6 address'),
    )
    .optional()
    .meta({
      description: 'Address of the customer, when a server calls on their behalf.',
      override: { anyOf: [{ format: 'ipv4' }, { format: 'ipv6' }] },
    }),
  'x-service-customer-countrycode': z
    .string()
    .refine((code) => /^[A-Z]{2}$/.test(code), fails('pattern', 'must be an ISO 3166-1 alpha-2 code such as DE'))
    .optional()
    .meta({
      description: 'Country of the customer; preferred over the address.',
      override: { pattern: '^[A-Z]{2}$' },
    }),
})
