import { errors, type ServiceFault, violation } from '@storekeep/common/errors'
import { idViolations } from '@storekeep/common/flake'
import type { CheckoutSession, SessionStatus } from './checkout-session.ts'

/** What was paid for a session. Null: paid elsewhere, as the operator reports. */
export interface CheckoutPayment {
  paymentId: string
  /** The id for the order of the session. */
  orderId: string
  amount: bigint
  currency: string
}

/** @throws ServiceFault `validation-failed` naming every invalid field */
export function checkPayment(payment: CheckoutPayment | null): CheckoutPayment | null {
  const violations = [
    ...idViolations('payment.payment_id', payment?.paymentId),
    ...idViolations('payment.order_id', payment?.orderId),
  ]
  if (payment && payment.amount < 0n) violations.push(violation('payment.amount', 'min', 'must be at least 0'))
  if (violations.length > 0) throw errors.validationFailed(violations)
  return payment
}

/**
 * Why a payment cannot complete a session; undefined if it can or already has. A payment completes only the session whose
 * total it covers exactly, and a session is completed by at most one payment.
 */
export function paymentConflict(
  session: Payable,
  status: SessionStatus,
  payment: CheckoutPayment | null,
): ServiceFault | undefined {
  if (status === 'completed') {
    const isRepeated = payment === null || payment.paymentId === session.paymentId
    return isRepeated ? undefined : errors.conflict('The checkout session was paid by another payment.')
  }
  if (status !== 'open') return errors.conflict(`The checkout session is ${status}.`)
  if (payment && (payment.amount !== session.totalAmount || payment.currency !== session.currency))
    return errors.conflict('The payment differs from the total of the checkout session.')
  return undefined
}

type Payable = Pick<CheckoutSession, 'totalAmount' | 'currency'> & { paymentId: string | null }
