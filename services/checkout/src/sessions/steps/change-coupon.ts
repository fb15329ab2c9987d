import { errors, isFault, type ServiceFault, violation } from '@storekeep/common/errors'
import { type Call, requireStore } from '@storekeep/common/grpc'
import type { Transaction } from '@storekeep/common/postgres'
import type { AppContext } from '../../context.ts'
import { findProducts } from '../../products/db/product-repository.ts'
import { redemptionOf, type SessionRow } from '../db/schema.ts'
import { updateDiscounts } from '../db/session-writer.ts'
import { isExtended, statusAt } from '../domain/checkout-session.ts'
import { linesOfSession } from '../domain/discountable-lines.ts'
import { applyDiscounts, type Discounts, noDiscounts } from '../domain/discounts.ts'
import { publishSession } from '../events/publish.ts'
import { sessionToProto } from '../mappers.ts'
import {
  openReservation,
  releaseReplaced,
  releaseReservation,
  reserveCoupon,
  settleChange,
} from './coupon-reservation.ts'
import { lockOpenSession } from './end-session.ts'
import { requireSession, requireSessionOfToken } from './find-session.ts'

/**
 * Changes the coupon of an open session (decision 0013): reserves the new one under a new id, then writes the discounts and
 * records the release of the old one in one transaction. One change of a session runs at a time.
 * @param code undefined removes the coupon
 * @param commit runs the transaction
 * @throws ServiceFault `not-found`, `validation-failed` naming `code`, `conflict` (see the proto), `service-unavailable`
 */
export async function changeCoupon<R>(
  ctx: AppContext,
  call: Call,
  { token, code }: { token: string; code: string | undefined },
  commit: (effect: (tx: Transaction) => Promise<SessionResponse>) => Promise<R>,
): Promise<R | SessionResponse> {
  const storeId = requireStore(call)
  const found = await requireSessionOfToken(ctx, token)
  if (found.storeId !== storeId) throw errors.notFound('checkout session')
  assertChangeable(ctx, found)
  if (code === undefined && found.couponId === null) return { session: sessionToProto(found, ctx.clock.now()) }
  const { id } = found
  const key = { storeId, checkoutId: await ctx.ids.next() }
  if (!(await openReservation(ctx, call, key, { scope: 'coupon of a session', key: id }))) {
    throw errors.conflict('Another change of the coupon is running.')
  }
  let hasRun = false
  let isSettled = false
  try {
    // Read only now that no other change of its coupon is running.
    const session = await requireSession(ctx, storeId, id)
    assertChangeable(ctx, session)
    const replacedId = redemptionOf(session)
    const discounts = await discountsWith(ctx, call, session, key.checkoutId, code)
    const changed = applyDiscounts(session, discounts)
    if (isSame(session, changed)) return { session: sessionToProto(session, ctx.clock.now()) }
    const redemptionId = discounts.coupon ? key.checkoutId : null
    const response = await commit(async (tx) => {
      const now = ctx.clock.now()
      const locked = await lockOpenSession(tx, storeId, id, now)
      assertChangeable(ctx, locked)
      await settleChange(ctx, tx, key, replacedId)
      hasRun = true
      // Other fields may have changed in the meantime, but not its lines and codes.
      const updated = await updateDiscounts(tx, { ...applyDiscounts(locked, discounts), redemptionId })
      await publishSession(tx, 'updated', updated, now, call)
      return { session: sessionToProto(updated, now) }
    })
    // A repeated call gets its stored response, and changes nothing.
    isSettled = hasRun
    if (isSettled && replacedId !== undefined) await releaseReplaced(ctx, call, { storeId, checkoutId: replacedId })
    return response
  } finally {
    if (!isSettled) await releaseReservation(ctx, call, key)
  }
}

interface SessionResponse {
  session: ReturnType<typeof sessionToProto>
}

/** While a payment is processing, the payer may have seen and sent the amount. */
function assertChangeable({ clock }: AppContext, session: SessionRow): void {
  const status = statusAt(session, clock.now())
  if (status !== 'open') throw errors.conflict(`The checkout session is ${status}.`)
  if (isExtended(session)) throw errors.conflict('A payment of the checkout session is processing.')
}

/** Reserves the coupon of the code, and computes the discounts of the session with it and with its affiliate link. */
async function discountsWith(
  ctx: AppContext,
  call: Call,
  session: SessionRow,
  checkoutId: string,
  code: string | undefined,
): Promise<Discounts> {
  const { storeId, customerId, affiliateLinkId, expiresAt } = session
  if (code === undefined && affiliateLinkId === null) return noDiscounts
  const productIds = new Set(session.lines.flatMap(({ productId }) => productId ?? []))
  const products = productIds.size === 0 ? [] : await findProducts(ctx.database, storeId, [...productIds])
  const promoCodes = code === undefined ? [] : [code]
  const discounts = await reserveCoupon(ctx, call, {
    codes: { customerId, couponId: undefined, promoCodes, affiliateCode: undefined },
    storeId,
    checkoutId,
    lines: linesOfSession(session, products),
    expiresAt,
    replaced: redemptionOf(session),
    affiliateLinkId,
  }).catch(throwWithPathOfCode)
  // The code of an affiliate link.
  if (code !== undefined && !discounts.coupon) throw notACoupon()
  return discounts
}

function throwWithPathOfCode(error: unknown): never {
  if (!isFault(error, 'validation-failed')) throw error
  const named = error.violations.filter(({ validation }) => validation === 'reference')
  if (named.length === 0) throw notACoupon()
  throw errors.validationFailed(named.map((one) => ({ ...one, path: 'code' })))
}

function notACoupon(): ServiceFault {
  return errors.validationFailed([violation('code', 'reference', 'is not the code of a coupon in this store')])
}

function isSame(before: SessionRow, after: SessionRow): boolean {
  return (
    before.couponId === after.couponId &&
    before.couponVersionId === after.couponVersionId &&
    before.affiliateLinkId === after.affiliateLinkId &&
    before.totalAmount === after.totalAmount &&
    before.lines.every(({ discountAmount }, index) => discountAmount === after.lines[index]?.discountAmount)
  )
}
