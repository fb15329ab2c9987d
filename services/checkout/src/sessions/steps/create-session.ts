import { errors } from '@storekeep/common/errors'
import { type Call, requireStore } from '@storekeep/common/grpc'
import type { Transaction } from '@storekeep/common/postgres'
import type { WriteDependencies } from '@storekeep/common/write'
import type { AppContext } from '../../context.ts'
import { checkDraft, hasCodes, namesAccounts } from '../domain/checkout-draft.ts'
import type { CheckoutInput } from '../domain/checkout-input.ts'
import { sessionMs } from '../domain/checkout-session.ts'
import { linesOfOrder } from '../domain/discountable-lines.ts'
import { applyDiscounts, type Discounts, noDiscounts } from '../domain/discounts.ts'
import { priceSession } from '../domain/price-session.ts'
import { applyTax, ipCountryOf, taxedBuyer } from '../domain/tax.ts'
import { assertSessionFits } from '../events/session-size.ts'
import { assertBuyerAllowed } from './assert-buyer-allowed.ts'
import { assertOwnership } from './check-ownership.ts'
import { type Reservation, withReservation } from './coupon-reservation.ts'
import { determineTax } from './determine-tax.ts'
import { loadOrder } from './load-order.ts'
import { reserveStock, stockDemands } from './reserve-stock.ts'
import { resolveRecipients } from './resolve-recipients.ts'
import { type CreatedSession, writeSession } from './write-session.ts'

/**
 * Creates a checkout session. Calls to other services come before the transaction. Violations that depend on the store's data are
 * returned only after the ban check has passed.
 * @param findStored the response of an earlier call with the same Idempotency-Key
 * @param commit runs the transaction
 */
export async function createSession<R>(
  ctx: AppContext,
  call: Call,
  input: CheckoutInput,
  { findStored, commit }: SessionWrite<R>,
): Promise<R> {
  const draft = checkDraft(input)
  const now = ctx.clock.now()
  const loading = loadOrder(ctx, call, draft, now)
  // Awaited below. If the ban check throws first, its error is the response.
  loading.catch(() => undefined)
  await assertBuyerAllowed(ctx, call, draft)
  const { currency, lines } = await loading
  const priced = priceSession(draft, { currency, lines })
  assertSessionFits(priced)
  const storeId = requireStore(call)
  const buyer = taxedBuyer(draft.customerDetails, ipCountryOf(draft.customerCountry))
  const tax = await determineTax(ctx, call, storeId, buyer)

  const key = { storeId, checkoutId: await ctx.ids.next() }
  const expiresAt = new Date(now.getTime() + sessionMs)
  const createWith = async (discounts: Discounts, reservation?: Reservation) => {
    // Late, so that a rejected order creates no customers.
    const resolved = await resolveRecipients(ctx, call, draft, applyTax(applyDiscounts(priced, discounts), tax))
    // The client has timed out: do not create a session that it cannot use while it holds a coupon.
    if (call.remainingMs() === 0) throw errors.unavailable(new Error('the deadline has passed'))
    const session = { ...resolved, id: key.checkoutId, storeId: key.storeId, expiresAt }
    if (namesAccounts(draft)) await assertOwnership(ctx, call, session)
    const demands = stockDemands(lines, (index) => session.lines[index]?.giftToCustomerId ?? session.customerId)
    const effect = async (tx: Transaction) => {
      await reservation?.settle(tx)
      if (demands.length > 0) await reserveStock(tx, session, demands, now)
      return writeSession(ctx, tx, call, session, now)
    }
    const deps = demands.length > 0 ? ctx.forStockLock(key.storeId) : ctx
    return commit(deps, effect)
  }
  if (!hasCodes(draft)) return createWith(noDiscounts)
  const exclusion = { ...key, idempotency: call.idempotency, whileRunning: errors.stillRunning }
  return withReservation(ctx, call, exclusion, async (reservation) => {
    // Check again: a concurrent call with the same key may have completed.
    const repeated = await findStored()
    if (repeated) return repeated
    const discounts = await reservation.reserve({ codes: draft, lines: linesOfOrder(lines, priced), expiresAt })
    return createWith(discounts, reservation)
  })
}

/** How the RPC that creates a session is made repeatable. */
export interface SessionWrite<R> {
  findStored(): Promise<R | undefined>
  commit(deps: WriteDependencies, effect: (tx: Transaction) => Promise<CreatedSession>): Promise<R>
}
