import type { Subject } from './email.ts'

/** An email that a change calls for. */
export interface CausedEmail extends Subject {
  /** The same for every repetition of the change. */
  cause: string
}

export interface PaidOrder {
  id: string
  storeId: string
  customerId: string
  subscriptionId: string | null
  /** Whether it renews its subscription. */
  renewal: boolean
  /** The recipients of its lines that are gifts. */
  giftsTo: readonly string[]
}

/**
 * The emails about a paid order: one to the buyer, and one to each customer who receives a gift from another customer. A renewal tells
 * the recipients of gifts nothing new.
 */
export function emailsOfOrder(order: PaidOrder): CausedEmail[] {
  const { id, storeId, customerId, subscriptionId, renewal } = order
  const about = { storeId, orderId: id, subscriptionId, refundAmount: null }
  const kind = renewal ? 'subscription_renewed' : 'receipt'
  const toBuyer: CausedEmail = { ...about, kind, customerId, cause: `order ${id}` }
  if (renewal) return [toBuyer]
  const recipients = [...new Set(order.giftsTo)].filter((recipient) => recipient !== customerId)
  const gifts = recipients.map((recipient) => ({
    ...about,
    kind: 'gift_received' as const,
    customerId: recipient,
    cause: `gift ${id} ${recipient}`,
  }))
  return [toBuyer, ...gifts]
}

/** The email to the buyer about a refund that succeeded. @param refund.amount in minor units */
export function emailOfRefund(
  { id, storeId, customerId, subscriptionId }: PaidOrder,
  refund: { id: string; amount: bigint },
): CausedEmail {
  const about = { storeId, customerId, orderId: id, subscriptionId }
  return { ...about, kind: 'refund', refundAmount: String(refund.amount), cause: `refund ${refund.id}` }
}

export interface ChangedSubscription {
  id: string
  storeId: string
  customerId: string
  /** `invalid`: a status that only a newer release knows. */
  status: 'active' | 'past_due' | 'canceled' | 'invalid'
  /** It ends with its period. */
  cancelAtPeriodEnd: boolean
  /** How many periods were paid. */
  paidPeriods: number
}

/**
 * The emails about the state of a subscription: a failed renewal once per period, however often the provider tries again; and its end
 * once per period, either when it is canceled for the end of the period, or when it ends without notice.
 */
export function emailsOfSubscription(subscription: ChangedSubscription): CausedEmail[] {
  const { id, storeId, customerId, status, cancelAtPeriodEnd, paidPeriods } = subscription
  const about = { storeId, customerId, orderId: null, subscriptionId: id, refundAmount: null }
  const inPeriod = `${id} ${paidPeriods}`
  if (status === 'canceled' || cancelAtPeriodEnd) {
    return [{ ...about, kind: 'subscription_ending', cause: `ending ${inPeriod}` }]
  }
  return status === 'past_due' ? [{ ...about, kind: 'payment_failed', cause: `payment ${inPeriod}` }] : []
}

/** Events of the past cause no emails, for example after the service was installed beside a stream of older events. */
export function isTooOld(occurredAt: Date, now: Date): boolean {
  return now.getTime() - occurredAt.getTime() > sendingMs
}

/** For how long sending is tried, and how old news may be. */
export const sendingMs = 3 * 24 * 3_600_000
