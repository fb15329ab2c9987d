import { isDeepStrictEqual } from 'node:util'
import { errors, isFault, type ServiceFault, violation } from '@storekeep/common/errors'
import { type Call, requireStore } from '@storekeep/common/grpc'
import type { Transaction } from '@storekeep/common/postgres'
import type { AppContext } from '../../context.ts'
import { updateDiscounts } from '../db/session-writer.ts'
import { assertChangeable, redemptionOf } from '../domain/checkout-session.ts'
import { applyDiscounts } from '../domain/discounts.ts'
import { applyTax } from '../domain/tax.ts'
import { publishSession } from '../events/publish.ts'
import { sessionToProto } from '../mappers.ts'
import { changeOf, withReservation } from './coupon-reservation.ts'
import { lockOpenSession } from './end-session.ts'
import { requireSessionOfToken } from './find-session.ts'
import { discountsWith } from './session-discounts.ts'

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
): Promise<R> {
  const storeId = requireStore(call)
  const read = () => requireSessionOfToken(ctx, token, storeId)
  const { id } = await read()
  const checkoutId = await ctx.ids.next()
  return withReservation(ctx, call, changeOf(id, { storeId, checkoutId }), async ({ reserve, settle }) => {
    // Read again under the reservation, which excludes concurrent changes.
    const session = await read()
    assertChangeable(session, ctx.clock.now())
    const replacedId = redemptionOf(session)
    const discounts = await discountsWith(ctx, session, { code }, (order) =>
      reserve({ ...order, replaced: replacedId }),
    ).catch(throwWithPathOfCode)
    // The code belongs to an affiliate link, not a coupon.
    if (code !== undefined && !discounts.coupon) throw notACoupon()
    const changed = applyTax(applyDiscounts(session, discounts), session.tax)
    return commit(async (tx) => {
      const now = ctx.clock.now()
      const locked = await lockOpenSession(tx, storeId, id, now)
      assertChangeable(locked, now)
      if (isDeepStrictEqual(changed, session)) return { session: sessionToProto(locked, now) }
      await settle(tx, replacedId)
      // Other fields may have changed in the meantime, such as the country of the buyer, but not its lines and codes.
      const taxed = applyTax(changed, locked.tax)
      const updated = await updateDiscounts(tx, { ...taxed, redemptionId: discounts.coupon ? checkoutId : null })
      await publishSession(tx, 'updated', updated, now, call)
      return { session: sessionToProto(updated, now) }
    })
  })
}

interface SessionResponse {
  session: ReturnType<typeof sessionToProto>
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
