import { errors, isFault } from '@storekeep/common/errors'
import { requireStore } from '@storekeep/common/grpc'
import { present } from '@storekeep/common/message'
import { write } from '@storekeep/common/write'
import type { AppContext, CheckoutHandlers } from '../../context.ts'
import type { SessionRow } from '../db/schema.ts'
import { replaceLines } from '../db/session-writer.ts'
import { assertChangeable, redemptionOf } from '../domain/checkout-session.ts'
import { applyDiscounts, type Discounts } from '../domain/discounts.ts'
import { checkQuantities, editLines, heldUnits } from '../domain/edit-lines.ts'
import { applyTax } from '../domain/tax.ts'
import { publishSession } from '../events/publish.ts'
import { sessionToProto } from '../mappers.ts'
import { changeOf, type Reservation, withReservation } from '../steps/coupon-reservation.ts'
import { lockOpenSession } from '../steps/end-session.ts'
import { requireSessionOfToken } from '../steps/find-session.ts'
import { replaceStock } from '../steps/reserve-stock.ts'
import { discountsWith, productsOf } from '../steps/session-discounts.ts'

/** Reserves the coupon of the changed lines under a new id, as a change of the coupon does (decision 0013). */
export function updateCheckoutLines(ctx: AppContext): CheckoutHandlers['updateCheckoutLines'] {
  return async (request, call) => {
    const storeId = requireStore(call)
    const { token, lines: changes, version } = request
    const read = () => requireSessionOfToken(ctx, token, storeId)
    const { id } = await read()
    const checkoutId = await ctx.ids.next()
    return withReservation(ctx, call, changeOf(id, { storeId, checkoutId }), async ({ reserve, settle }) => {
      // Read again under the reservation, which excludes concurrent changes of lines and coupon.
      const session = await read()
      const now = ctx.clock.now()
      assertEditable(session, version, now)
      checkQuantities(changes, session)
      const isUnchanged = changes.every(({ position, quantity }) => session.lines[position - 1]?.quantity === quantity)
      if (isUnchanged) return { session: sessionToProto(session, now) }
      const products = await productsOf(ctx, session)
      const edited = editLines(session, changes, products, now)
      const replacedId = redemptionOf(session)
      const discounts = await discountsOfEdited(ctx, edited.session, (order) =>
        reserve({ ...order, replaced: replacedId }),
      )
      const counts = [...session.lines, ...edited.session.lines].some(({ rules }) => rules?.isCounted)
      return write(counts ? ctx.forStockLock(storeId) : ctx, call, request, async (tx) => {
        const locked = await lockOpenSession(tx, storeId, id, now)
        assertEditable(locked, version, now)
        await settle(tx, replacedId)
        // Other fields may have changed in the meantime, but not quantities and codes.
        const again = editLines(locked, changes, products, now)
        if (counts) await replaceStock(tx, locked, { ...again, demands: heldUnits(again, products) }, now)
        const changed = applyTax(applyDiscounts(again.session, discounts), locked.tax)
        const updated = await replaceLines(tx, { ...changed, redemptionId: discounts.coupon ? checkoutId : null })
        await publishSession(tx, 'updated', updated, now, call)
        const removedCouponCode = discounts.coupon ? null : locked.couponCode
        return present({ session: sessionToProto(updated, now), removedCouponCode })
      })
    })
  }
}

/** @throws ServiceFault `conflict` */
function assertEditable(session: SessionRow, version: bigint | undefined, now: Date): void {
  assertChangeable(session, now)
  if (!session.editable) throw errors.conflict('The lines of the checkout session cannot be changed.')
  if (version !== undefined && session.version !== version.toString()) {
    throw errors.conflict('The checkout session has changed.')
  }
}

/** With the coupon of the session, or without it if it does not apply to the lines any longer. */
async function discountsOfEdited(
  ctx: AppContext,
  session: SessionRow,
  reserve: Reservation['reserve'],
): Promise<Discounts> {
  if (session.couponId === null) return await discountsWith(ctx, session, {}, reserve)
  try {
    return await discountsWith(ctx, session, { couponId: session.couponId }, reserve)
  } catch (error) {
    if (!isFault(error, 'validation-failed')) throw error
    return await discountsWith(ctx, session, {}, reserve)
  }
}
