import { type Violation, violation } from '@storekeep/common/errors'
import { parseEmailAddress } from '@storekeep/proto/agreements/email-address'
import { addressMembers, type BillingAddress, type CustomerDetails } from './checkout-session.ts'
import { textViolation } from './text.ts'

/** What is wrong with what is known of the buyer. Only the e-mail address has a form, since bans are checked by it. */
export function detailsViolations(details: CustomerDetails, at: string): Violation[] {
  const { billingEmail, billingAddress } = details
  const texts = [
    [details.billingName, `${at}.billing_name`],
    [details.billingTaxId, `${at}.billing_tax_id`],
    ...Object.entries(billingAddress ?? {}).map(
      ([member, text]) => [text, `${at}.billing_address.${addressMembers[member as keyof BillingAddress]}`] as const,
    ),
  ] as const
  const found = texts.map(([text, path]) => (text === null ? undefined : textViolation(text, path, 0, maxLength)))
  if (billingEmail !== null && parseEmailAddress(billingEmail) === undefined) {
    found.push(violation(`${at}.billing_email`, 'format', 'must be an e-mail address'))
  }
  return found.filter((one) => one !== undefined)
}

const maxLength = 256
