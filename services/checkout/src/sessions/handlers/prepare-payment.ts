import { isDeepStrictEqual } from 'node:util'
import { errors, violation } from '@storekeep/common/errors'
import { requireFlakeId } from '@storekeep/common/flake'
import { requireStore } from '@storekeep/common/grpc'
import { write } from '@storekeep/common/write'
import type { PreparePaymentRequest } from '@storekeep/proto/checkout/v1/checkout_service'
import type { AppContext, CheckoutHandlers } from '../../context.ts'
import type { SessionRow } from '../db/schema.ts'
import { updateSession } from '../db/session-writer.ts'
import { statusAt } from '../domain/checkout-session.ts'
import { detailsViolations } from '../domain/customer-details.ts'
import { publishSession } from '../events/publish.ts'
import { detailsFromProto, sessionToProto } from '../mappers.ts'
import { assertBuyerAllowed } from '../steps/assert-buyer-allowed.ts'
import { assertOwnership } from '../steps/check-ownership.ts'
import { lockOpenSession } from '../steps/end-session.ts'
import { requireSession, requireSessionOfToken } from '../steps/find-session.ts'

export function preparePayment(ctx: AppContext): CheckoutHandlers['preparePayment'] {
  return async (request, call) => {
    const storeId = requireStore(call)
    const session = await sessionOf(ctx, storeId, request)
    const status = statusAt(session, ctx.clock.now())
    if (status !== 'open') throw errors.conflict(`The checkout session is ${status}.`)
    const given = request.customerDetails && detailsFromProto(request.customerDetails)
    const violations = given ? detailsViolations(given, 'customer_details') : []
    if (violations.length > 0) throw errors.validationFailed(violations)
    const customerDetails = given ?? session.customerDetails
    const { customerId } = session
    await assertBuyerAllowed(ctx, call, { customerId, customerDetails, customerIp: request.customerIp })
    await assertOwnership(ctx, call, session)
    return write(ctx, call, request, async (tx) => {
      const now = ctx.clock.now()
      const row = await lockOpenSession(tx, storeId, session.id, now)
      if (isDeepStrictEqual(row.customerDetails, customerDetails)) return { session: sessionToProto(row, now) }
      const updated = await updateSession(tx, row, { ...row, customerDetails })
      await publishSession(tx, 'updated', updated, now, call)
      return { session: sessionToProto(updated, now) }
    })
  }
}

/** @throws ServiceFault `not-found`, also for a session of another store */
async function sessionOf(ctx: AppContext, storeId: string, { session }: PreparePaymentRequest): Promise<SessionRow> {
  switch (session.case) {
    case 'token':
      return await requireSessionOfToken(ctx, session.value, storeId)
    case 'checkoutId':
      return await requireSession(ctx, storeId, requireFlakeId('checkout_id', session.value))
    case undefined:
      throw errors.validationFailed([violation('token', 'required', 'is required')])
  }
}
