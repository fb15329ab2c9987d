import { errors, type Violation } from '@storekeep/common/errors'
import type { Queryable, Transaction } from '@storekeep/common/postgres'
import { findAffiliateLink, findAffiliateLinksByCode } from '../../affiliate-links/db/affiliate-link-repository.ts'
import type { AffiliateLink } from '../../affiliate-links/domain/affiliate-link.ts'
import type { Coupon } from '../../coupons/domain/coupon.ts'
import {
  type CouponNames,
  countRedemption,
  findNamedCoupons,
  lockNamedCoupons,
  type NamedCoupon,
} from '../db/coupon-usage-repository.ts'
import { findLedgerEntry, insertReservation, type LedgerEntry } from '../db/redemption-repository.ts'
import { type ChosenCodes, chooseCodes, foldCode, type KnownCodes, notUsable } from '../domain/codes.ts'
import { discountOrder } from '../domain/discounts.ts'
import type { Order, OrderCodes } from '../domain/order.ts'
import type { ReserveOutcome } from '../domain/outcome.ts'
import type { LimitRejection, Redemption } from '../domain/redemption.ts'
import { ensureCapacity } from './capacity.ts'

/**
 * Applies the codes of an order that names no coupon. Reserves nothing, so it takes no locks.
 * @returns undefined if the order names a coupon or its checkout is in the ledger: use `reserve`
 */
export async function applyWithoutCoupon(db: Queryable, order: Order, now: Date): Promise<ReserveOutcome | undefined> {
  if (order.couponId !== undefined) return undefined
  const known = await findCodes(db, order)
  if (known.coupons.length > 0) return undefined
  if (await findLedgerEntry(db, order.storeId, order.checkoutId)) return undefined
  return applyCodes(order, known, now)
}

/**
 * Applies the codes of an order and reserves a redemption of its coupon. The coupon's row is locked before anything else
 * is read, so that everything is decided against one version of it and its limits hold exactly.
 * @throws ServiceFault `conflict` if the checkout has released its reservation or holds a different one. A checkout that
 * holds one never gets violations, which promise that nothing is reserved.
 */
export async function reserve(tx: Transaction, order: Order, now: Date): Promise<ReserveOutcome> {
  const { storeId, checkoutId, customerId, expiresAt } = order
  const outcome = applyCodes(order, await lockCodes(tx, order), now)
  const { coupon, violations } = outcome
  const known = await findLedgerEntry(tx, storeId, checkoutId)
  if (known) {
    if (violations.length > 0 || !isSame(known, outcome, customerId)) throw errors.conflict(otherReservation)
    return { ...outcome, redemption: known }
  }
  if (violations.length > 0 || !coupon) return outcome
  const capacity = await ensureCapacity(tx, coupon.terms, {
    customerId,
    now,
    replaced: await replacedOf(tx, order, coupon.terms),
  })
  if (capacity.rejection) {
    return { ...outcome, ...capacity, violations: [notUsable(coupon.path, limitReasons[capacity.rejection])] }
  }
  const { id: couponId, versionId: couponVersionId } = coupon.terms
  const given = { storeId, checkoutId, couponId, couponVersionId, customerId, expiresAt, createdAt: now }
  const redemption = await insertReservation(tx, given)
  // The checkout has released its reservation in the meantime.
  if (!redemption) throw errors.conflict(otherReservation)
  countRedemption(tx, redemption)
  return { ...outcome, ...capacity, redemption, effect: 'reserved' }
}

/** Which codes of the order cannot be used, apart from limits, scope and minimum order value. Reserves nothing. */
export async function validateCodes(db: Queryable, order: OrderCodes, now: Date): Promise<Violation[]> {
  return chooseCodes(order, await findCodes(db, order), now).violations
}

/** How many counted redemptions of the coupon this one replaces. */
async function replacedOf(tx: Transaction, order: Order, { id }: NamedCoupon): Promise<bigint> {
  if (order.replacedCheckoutId === undefined) return 0n
  const entry = await findLedgerEntry(tx, order.storeId, order.replacedCheckoutId)
  const counts = entry?.state === 'reserved' || entry?.state === 'confirmed'
  return counts && entry.couponId === id ? 1n : 0n
}

function applyCodes<C extends Coupon>(order: Order, codes: KnownCodes<C>, now: Date) {
  const { violations: codeViolations, ...chosen } = chooseCodes(order, codes, now)
  const { violations: orderViolations, ...discounts } = discountOrder(order.lines, chosen)
  return { ...chosen, ...discounts, violations: codeViolations.length > 0 ? codeViolations : orderViolations }
}

async function findCodes(db: Queryable, order: OrderCodes): Promise<KnownCodes> {
  const [affiliateLinks, coupons] = await Promise.all([
    findAffiliateLinks(db, order),
    findNamedCoupons(db, order.storeId, couponNames(order)),
  ])
  return { affiliateLinks, coupons }
}

async function lockCodes(tx: Transaction, order: OrderCodes): Promise<KnownCodes<NamedCoupon>> {
  const coupons = await lockNamedCoupons(tx, order.storeId, couponNames(order))
  return { affiliateLinks: await findAffiliateLinks(tx, order), coupons }
}

async function findAffiliateLinks(
  db: Queryable,
  { storeId, promoCodes, affiliateCode, affiliateLinkId }: OrderCodes,
): Promise<AffiliateLink[]> {
  const codes = affiliateCode === undefined ? promoCodes : [...promoCodes, affiliateCode]
  const named = codes.length === 0 ? [] : await findAffiliateLinksByCode(db, storeId, codes.map(foldCode))
  const applied = affiliateLinkId === undefined ? undefined : await findAffiliateLink(db, storeId, affiliateLinkId)
  return applied ? [...named, applied] : named
}

/** Without the affiliate code, which cannot name a coupon. */
function couponNames({ couponId, promoCodes }: OrderCodes): CouponNames {
  return { couponId, codes: promoCodes.map(foldCode) }
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
} as const satisfies Record<LimitRejection, string>
