/** A value of a JSON column. */
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json }

export const orderStatuses = ['paid', 'partially_refunded', 'refunded', 'charged_back'] as const
export type OrderStatus = (typeof orderStatuses)[number]

export type TimelineKind =
  | 'paid'
  | 'marked_paid'
  | 'refund_requested'
  | 'refund_succeeded'
  | 'refund_failed'
  | 'charged_back'
  | 'chargeback_reversed'

/** A chargeback takes precedence over refunds, because it takes back the whole payment. */
export function orderStatus(
  order: { totalAmount: bigint; refundedAmount: bigint },
  isChargedBack: boolean,
): OrderStatus {
  if (isChargedBack) return 'charged_back'
  if (order.refundedAmount === 0n) return 'paid'
  return order.refundedAmount < order.totalAmount ? 'partially_refunded' : 'refunded'
}
