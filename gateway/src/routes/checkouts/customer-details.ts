import { present } from '@storekeep/common/message'
import { parseEmailAddress } from '@storekeep/proto/conventions/email-address'
import { z } from 'zod'
import { fails, text } from '../../schemas/fields.ts'

/** Who pays, as it stands on the bill. */
export const customerDetails = z
  .object({
    billing_name: text(0, 256).nullish(),
    billing_email: z
      .string()
      .refine((address) => parseEmailAddress(address) !== undefined, fails('format', 'must be an e-mail address'))
      .nullish()
      .meta({ description: 'Also looked up among the bans.', override: { format: 'email', maxLength: 254 } }),
    billing_tax_id: text(0, 256).nullish(),
    billing_address: z
      .object({
        country: z
          .string()
          .refine((code) => /^[A-Z]{2}$/.test(code), fails('pattern', 'must be an ISO 3166-1 alpha-2 code such as DE'))
          .nullish()
          .meta({ override: { pattern: '^[A-Z]{2}$' } }),
        state: text(0, 256).nullish(),
        city: text(0, 256).nullish(),
        postal_code: text(0, 256).nullish(),
        line_1: text(0, 256).nullish(),
        line_2: text(0, 256).nullish(),
      })
      .nullish(),
  })
  .meta({ id: 'CheckoutCustomerDetailsDto' })

/** The details as the checkout service takes them. */
export function customerDetailsMessage(details: z.output<typeof customerDetails>) {
  const { billing_address: address } = details
  return present({
    billingName: details.billing_name,
    billingEmail: details.billing_email?.trim(),
    billingTaxId: details.billing_tax_id,
    billingAddress:
      address &&
      present({
        country: address.country,
        state: address.state,
        city: address.city,
        postalCode: address.postal_code,
        line1: address.line_1,
        line2: address.line_2,
      }),
  })
}
