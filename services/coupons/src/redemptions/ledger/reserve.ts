import { errors, type Violation } from '@storekeep/common/errors'
import type { Queryable, Transaction } from '@storekeep/common/postgres'
import { findAffiliateLinksByCode } from '../../affiliate-links/db/affiliate-link-repository.ts'
import { countRedemption, findNamedCoupons, lockNamedCoupons, type NamedCoupon } from '../db/coupon-usage-repository.ts'
import { findLedgerEntry, insertReservation, type LedgerEntry } from '../db/redemption-repository.ts'
import { type ChosenCodes, chooseCodes, foldCode, type KnownCodes, notUsable } from '../domain/codes.ts'
import { type Discounts, discountOrder } from '../domain/discounts.ts'
import type { Order, OrderCodes } from '../domain/order.ts'
import type { LimitRefusal, Redemption } from '../domain/redemption.ts'
import type { LedgerOutcome } from './outcome.ts'
import { makeRoom } from './room.ts'

export interface ReserveOutcome extends LedgerOutcome, Discounts, ChosenCodes {
  /** Why codes cannot be used. If there are any, nothing was reserved. */
  violations: readonly Violation[]
}

/**
 * Applies the codes of an order and reserves a redemption of its coupon. The coupon's row is locked first, so that
 * everything is decided against one version of it and its limits hold exactly.
 * @throws ServiceFault `conflict` if the checkout has released its reservation or holds a different one. A checkout that
 * holds one never gets violations, which promise that nothing is reserved.
 */
export async function reserve(tx: Transaction, order: Order, now: Date): Promise<ReserveOutcome> {
  const { storeId, checkoutId, customerId, lines, expiresAt } = order
  const { violations: codeViolations, ...chosen } = chooseCodes(order, await lockCodes(tx, order), now)
  const { violations: orderViolations, ...discounts } = discountOrder(lines, chosen)
  const violations = codeViolations.length > 0 ? codeViolations : orderViolations
  const outcome = { ...chosen, ...discounts, violations }

  const known = await findLedgerEntry(tx, storeId, checkoutId)
  if (known) {
    if (violations.length > 0 || !isSame(known, chosen, customerId)) throw errors.conflict(otherReservation)
    return { ...outcome, redemption: known }
  }
  const { coupon } = chosen
  if (violations.length > 0 || !coupon) return outcome
  const room = await makeRoom(tx, coupon.terms, customerId, now)
  if (room.refusal) return { ...outcome, ...room, violations: [notUsable(coupon.path, limitReasons[room.refusal])] }
  const { id: couponId, versionId: couponVersionId } = coupon.terms
  const given = { storeId, checkoutId, couponId, couponVersionId, customerId, expiresAt, createdAt: now }
  const redemption = await insertReservation(tx, given)
  // The checkout has released its reservation in the meantime.
  if (!redemption) throw errors.conflict(otherReservation)
  countRedemption(tx, redemption)
  return { ...outcome, ...room, redemption, effect: 'reserved' }
}

/** Which codes of the order cannot be used, apart from limits, scope and minimum order value. Reserves nothing. */
export async function validateCodes(db: Queryable, order: OrderCodes, now: Date): Promise<Violation[]> {
  const { codes, couponId } = namesIn(order)
  const [affiliateLinks, coupons] = await Promise.all([
    findAffiliateLinksByCode(db, order.storeId, codes),
    findNamedCoupons(db, order.storeId, { couponId, codes }),
  ])
  return chooseCodes(order, { affiliateLinks, coupons }, now).violations
}

async function lockCodes(tx: Transaction, order: OrderCodes): Promise<KnownCodes<NamedCoupon>> {
  const { codes, couponId } = namesIn(order)
  const affiliateLinks = codes.length === 0 ? [] : await findAffiliateLinksByCode(tx, order.storeId, codes)
  return { affiliateLinks, coupons: await lockNamedCoupons(tx, order.storeId, { couponId, codes }) }
}

function namesIn({ couponId, promoCodes, affiliateCode }: OrderCodes) {
  const codes = affiliateCode === undefined ? promoCodes : [...promoCodes, affiliateCode]
  return { couponId, codes: codes.map(foldCode) }
}

function isSame(known: LedgerEntry, { coupon }: ChosenCodes, customerId: string): known is Redemption {
  return (
    (known.state === 'reserved' || known.state === 'confirmed') &&
    known.couponId === coupon?.terms.id &&
    known.couponVersionId === coupon.terms.versionId &&
    known.customerId === customerId
  )
}

const otherReservation = 'The checkout has released its reservation or holds a different one.'

const limitReasons = {
  exhausted: 'coupon-exhausted',
  customer_limit: 'coupon-customer-limit',
} as const satisfies Record<LimitRefusal, string>
