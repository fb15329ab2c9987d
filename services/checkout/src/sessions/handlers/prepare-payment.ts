import { isDeepStrictEqual } from 'node:util'
import { errors, violation } from '@storekeep/common/errors'
import { requireFlakeId } from '@storekeep/common/flake'
import { requireStore } from '@storekeep/common/grpc'
import { write } from '@storekeep/common/write'
import type { PreparePaymentRequest } from '@storekeep/proto/checkout/v1/checkout_service'
import type { AppContext, CheckoutHandlers } from '../../context.ts'
import type { SessionRow } from '../db/schema.ts'
import { updateTax } from '../db/session-writer.ts'
import { isExtended, statusAt } from '../domain/checkout-session.ts'
import { detailsViolations } from '../domain/customer-details.ts'
import { applyTax, ipCountryOf, type TaxedBuyer, taxCountry, taxedBuyer, taxIdOf } from '../domain/tax.ts'
import { publishSession } from '../events/publish.ts'
import { detailsFromProto, sessionToProto } from '../mappers.ts'
import { assertBuyerAllowed } from '../steps/assert-buyer-allowed.ts'
import { assertOwnership } from '../steps/check-ownership.ts'
import { determineTax, requireTax } from '../steps/determine-tax.ts'
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
    const buyer = taxedBuyer(customerDetails, ipCountryOf(request.customerCountry, session), session)
    const tax = await (isFree(session) ? determineTax : requireTax)(ctx, call, storeId, buyer)
    await assertOwnership(ctx, call, session)
    return write(ctx, call, request, async (tx) => {
      const now = ctx.clock.now()
      const row = await lockOpenSession(tx, storeId, session.id, now)
      const taxed = isExtended(row) ? keepTax(row, buyer) : applyTax(row, tax)
      const changed = { ...taxed, customerDetails }
      if (isDeepStrictEqual(changed, row)) return { session: sessionToProto(row, now) }
      const updated = await updateTax(tx, changed)
      await publishSession(tx, 'updated', updated, now, call)
      return { session: sessionToProto(updated, now) }
    })
  }
}

/** Whether the session costs nothing, even with tax. */
function isFree({ subscription, subtotalAmount, couponDiscountAmount, affiliateDiscountAmount }: SessionRow): boolean {
  return subscription === null && subtotalAmount === couponDiscountAmount + affiliateDiscountAmount
}

/**
 * The session of a payment that is processing: the payer may have sent its total.
 * @throws ServiceFault `conflict` if the buyer has chosen another country or tax id since
 */
function keepTax(row: SessionRow, buyer: TaxedBuyer): SessionRow {
  const isSame = row.tax?.country === taxCountry(buyer) && taxIdOf(row.customerDetails) === buyer.taxId
  if (row.tax === null || isSame) return row
  throw errors.conflict('A payment of the checkout session is processing.')
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
