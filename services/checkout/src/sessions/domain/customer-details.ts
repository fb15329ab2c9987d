import { type Violation, violation } from '@storekeep/common/errors'
import { textViolations } from '@storekeep/common/values'
import { parseEmailAddress } from '@storekeep/proto/conventions/email-address'
import { checkoutLimits } from '@storekeep/proto/conventions/limits'
import { addressFields, type BillingAddress, type CustomerDetails } from './checkout-session.ts'

/** The details with another billing country and tax id. */
export function withTaxDetails(
  details: CustomerDetails | null,
  { country, taxId }: { country: string | null; taxId: string | null },
): CustomerDetails {
  const { billingName = null, billingEmail = null, billingAddress } = details ?? {}
  return {
    billingName,
    billingEmail,
    billingTaxId: taxId,
    billingAddress: { ...noAddress, ...billingAddress, country },
  }
}

const noAddress: BillingAddress = { country: null, state: null, city: null, postalCode: null, line1: null, line2: null }

/** The violations in the buyer's details. Only the email address must be well-formed, since bans are checked by it. */
export function detailsViolations(details: CustomerDetails, at: string): Violation[] {
  const { billingEmail, billingAddress } = details
  const texts = [
    [details.billingName, `${at}.billing_name`],
    [details.billingTaxId, `${at}.billing_tax_id`],
    ...Object.entries(billingAddress ?? {}).map(
      ([field, text]) => [text, `${at}.billing_address.${addressFields[field as keyof BillingAddress]}`] as const,
    ),
  ] as const
  const found = texts.flatMap(([text, path]) =>
    text === null ? [] : textViolations(path, text, 0, checkoutLimits.billingLength),
  )
  if (billingEmail !== null && parseEmailAddress(billingEmail) === undefined) {
    found.push(violation(`${at}.billing_email`, 'format', 'must be an email address'))
  }
  return found
}
