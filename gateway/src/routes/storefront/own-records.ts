import { errors } from '@storekeep/common/errors'
import type { Customer } from '@storekeep/proto/customers/v1/customer'

/** What the operations for orders and subscriptions say about tokens of typed names. */
export const verifiedText =
  'A token of the sign-in by a typed name is rejected with `forbidden`, because anyone can get one: your server must have created the ' +
  'token.'

/**
 * Asserts that the token proves who its holder is (decision 0021).
 * @throws ServiceFault `forbidden`
 */
export function assertVerified({ profile }: Customer): void {
  if (profile?.claimed) throw errors.forbidden('The customer signed in with a typed name, which proves nothing.')
}

/**
 * The record, if it is the customer's.
 * @param noun "order"
 * @throws ServiceFault `not-found`
 */
export function requireOwn<T extends { customerId: string }>(
  record: T | undefined,
  customer: Customer,
  noun: string,
): T {
  if (record?.customerId !== customer.id) throw errors.notFound(noun)
  return record
}
