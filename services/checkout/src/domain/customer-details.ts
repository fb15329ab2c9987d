import { type Violation, violation } from '@storekeep/common/errors'
import { textViolations } from '@storekeep/common/values'
import { addressMembers, type BillingAddress, type CustomerDetails } from './checkout-session.ts'

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
  const found = texts.flatMap(([text, path]) => (text === null ? [] : textViolations(path, text, 0, maxLength)))
  if (billingEmail !== null && !isEmail(billingEmail)) {
    found.push(violation(`${at}.billing_email`, 'format', 'must be an e-mail address'))
  }
  return found
}

/** The same rule as for the e-mail address of a ban. */
function isEmail(text: string): boolean {
  const email = text.trim()
  return email.length <= 254 && /^[^\s@\0]+@[^\s@\0]+$/.test(email)
}

const maxLength = 256
