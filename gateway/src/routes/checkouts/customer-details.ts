import { present } from '@storekeep/common/message'
import { checkoutLimits } from '@storekeep/proto/conventions/limits'
import { emailAddress, fails, text } from '@storekeep/records/schemas/fields'
import { z } from 'zod'

const line = text(0, checkoutLimits.billingLength)

const billingAddress = z
  .object({
    country: z
      .string()
      .refine((code) => /^[A-Z]{2}$/.test(code), fails('pattern', 'must be an ISO 3166-1 alpha-2 code such as DE'))
      .nullish()
      .meta({ description: 'ISO 3166-1 alpha-2 code, such as `DE`.', override: { pattern: '^[A-Z]{2}$' } }),
    state: line.nullish().describe('State, province or region.'),
    city: line.nullish().describe('City or town.'),
    postal_code: line.nullish().describe('Postal code.'),
    line_1: line.nullish().describe('First address line, such as street and number.'),
    line_2: line.nullish().describe('Second address line.'),
  })
  .meta({ id: 'BillingAddressInput', description: 'Address on an invoice.' })

export const customerDetails = z
  .object({
    billing_name: line.nullish().describe('Name on the invoice.'),
    billing_email: emailAddress
      .nullish()
      .describe('Email address of the customer. Also checked against the bans of the store.'),
    billing_tax_id: line.nullish().describe('Tax id on the invoice, such as a VAT number.'),
    billing_address: billingAddress.nullish().describe('Address on the invoice.'),
  })
  .meta({ id: 'CheckoutCustomerDetailsDto', description: 'Billing details of the customer.' })

/** The details as the checkout service expects them. */
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
