import type { DeliveryTerms, Interval } from '../../copies/domain/delivery-terms.ts'
import type { Item } from './item.ts'

/** What is known about the subscription of an item. */
export interface SubscriptionState {
  /** The end of its latest paid period; null until its first event. */
  periodEnd: Date | null
  /** Whether another period is expected to be paid. */
  renews: boolean
}

export type Expiry = Pick<Item, 'expirable' | 'expiresAt' | 'expiryDueAt'>

/**
 * When an item expires (contract "Delivery", products and items). The time that the staff has set comes first, then the paid
 * period of a subscription, then the time after the activation.
 *
 * While its subscription renews, an item outlives its period by up to a day, because providers report a renewal minutes to hours
 * after the period has begun.
 *
 * @param terms undefined if the version of the product is not known yet
 */
export function expiryOf(
  item: Pick<Item, 'overrideExpiresAt' | 'subscriptionId' | 'periodStart' | 'periodEnd' | 'activeAt'>,
  terms: Pick<DeliveryTerms, 'removeAfter'> | undefined,
  subscription: SubscriptionState | undefined,
): Expiry {
  const { overrideExpiresAt, subscriptionId, activeAt } = item
  if (overrideExpiresAt) return expiringAt(overrideExpiresAt)
  if (subscriptionId !== null) {
    const end = periodEndOf(item, subscription)
    if (!end) return { expirable: true, expiresAt: null, expiryDueAt: null }
    const isExpectedToRenew = subscription?.renews ?? true
    return { ...expiringAt(end), expiryDueAt: isExpectedToRenew ? new Date(end.getTime() + renewalMs) : end }
  }
  const removeAfter = terms?.removeAfter
  if (!removeAfter) return { expirable: false, expiresAt: null, expiryDueAt: null }
  return activeAt ? expiringAt(after(activeAt, removeAfter)) : { expirable: true, expiresAt: null, expiryDueAt: null }
}

/** The time after an interval. A month that is too short ends the interval on its last day. */
export function after(start: Date, { value, scale }: Interval): Date {
  const end = new Date(start)
  if (scale !== 'month') {
    end.setUTCDate(end.getUTCDate() + value * (scale === 'week' ? 7 : 1))
    return end
  }
  const day = end.getUTCDate()
  end.setUTCDate(1)
  end.setUTCMonth(end.getUTCMonth() + value)
  const lastDay = new Date(Date.UTC(end.getUTCFullYear(), end.getUTCMonth() + 1, 0)).getUTCDate()
  end.setUTCDate(Math.min(day, lastDay))
  return end
}

/**
 * The end of the paid period of the item, or of a later period that the subscription reports. A provider may move the first
 * period by a little after its order, so the reported end counts unless it belongs to an earlier period: earlier periods end near
 * the start of the item's period, the same and later periods near its end or after it.
 */
function periodEndOf(
  { periodStart, periodEnd }: Pick<Item, 'periodStart' | 'periodEnd'>,
  subscription: SubscriptionState | undefined,
): Date | null {
  const reported = subscription?.periodEnd ?? null
  if (!periodStart || !periodEnd) return reported
  const middle = (periodStart.getTime() + periodEnd.getTime()) / 2
  return reported && reported.getTime() > middle ? reported : periodEnd
}

function expiringAt(at: Date): Expiry {
  return { expirable: true, expiresAt: at, expiryDueAt: at }
}

const renewalMs = 24 * 3_600_000
