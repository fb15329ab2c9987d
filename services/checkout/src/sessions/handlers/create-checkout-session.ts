import { createLinkToken, hashLinkToken } from '@storekeep/common/crypto'
import { errors } from '@storekeep/common/errors'
import { type Call, requireStore } from '@storekeep/common/grpc'
import { actorText } from '@storekeep/common/message'
import type { Transaction } from '@storekeep/common/postgres'
import { findStoredResponse, write } from '@storekeep/common/write'
import type { AppContext, CheckoutHandlers } from '../../context.ts'
import { assertBuyerAllowed } from '../../orders/assert-buyer-allowed.ts'
import { findRecipients } from '../../orders/find-recipients.ts'
import { readOrder } from '../../orders/read-order.ts'
import { reserveCoupon } from '../../orders/reserve-coupon.ts'
import { releaseReservation } from '../../saga/slot-saga.ts'
import { settleHold } from '../db/coupon-reservation-repository.ts'
import { insertSession, newSessionId } from '../db/session-writer.ts'
import { checkDraft } from '../domain/checkout-draft.ts'
import { type CheckoutSession, sessionMs } from '../domain/checkout-session.ts'
import { publishSession } from '../events/publish.ts'
import { checkoutFromProto, keyedPart } from '../mappers-input.ts'

/**
 * Everything that others have to say comes before the transaction, in which nobody is waited for. What is said of the
 * order is told only to those who may buy: first the shape, then who buys, then all the rest.
 */
export function createCheckoutSession(ctx: AppContext): CheckoutHandlers['createCheckoutSession'] {
  return async (request, call) => {
    const storeId = requireStore(call)
    const keyed = keyedPart(request)
    const findAnswer = () => findStoredResponse(ctx, call, keyed)
    const kept = await findAnswer()
    if (kept) return kept

    const draft = checkDraft(checkoutFromProto(request))
    const now = ctx.clock.now()
    const reading = readOrder(ctx, call, draft, now)
    reading.catch(ignore)
    await assertBuyerAllowed(ctx, call, draft)
    const order = await reading

    const id = await newSessionId(ctx.database)
    const expiresAt = new Date(now.getTime() + sessionMs)
    const isAnswered = async () => (await findAnswer()) !== undefined
    const priced = await reserveCoupon(ctx, call, { draft, checkoutId: id, expiresAt, isAnswered }, order)
    if (!priced) return requireAnswer(await findAnswer())

    let isWritten = false
    try {
      // Only now: nobody becomes a customer for the sake of an order that cannot be.
      const recipients = await findRecipients(ctx, call, draft)
      const lines = priced.lines.map((line, index) => ({ ...line, giftToCustomerId: recipients[index] ?? null }))
      const session = { ...priced, lines, id, storeId, expiresAt }
      // A session whose token nobody hears would only keep its slot from others.
      if (call.remainingMs() === 0) throw errors.unavailable(new Error('the deadline has passed'))
      const effect = (tx: Transaction) => writeSession(ctx, tx, call, session, now)
      const answer = await write(ctx, call, keyed, effect, { secret: true })
      isWritten = answer.session?.id === id
      return answer
    } finally {
      if (priced.couponId !== null && !isWritten) await releaseReservation(ctx, call, { storeId, checkoutId: id })
    }
  }
}

/** Session, end of the hold and event: all or none. */
async function writeSession(ctx: AppContext, tx: Transaction, call: Call, session: SessionToWrite, now: Date) {
  const { storeId, id: checkoutId } = session
  if (session.couponId !== null && !(await settleHold(tx, { storeId, checkoutId }))) {
    throw errors.unavailable(new Error('the hold was given up in the meantime'))
  }
  const token = createLinkToken(ctx.randomBytes)
  const own = { tokenHash: hashLinkToken(token), createdBy: actorText(call.actor), createdAt: now }
  const row = await insertSession(tx, { ...session, ...own })
  await publishSession(tx, 'created', row, now, call)
  return { session: { id: row.id }, token, url: `${ctx.checkoutBaseUrl}/?t=${token}` }
}

function requireAnswer<T>(answer: T | undefined): T {
  if (answer === undefined) throw errors.internal(new Error('A kept answer vanished.'))
  return answer
}

function ignore(): void {}

type SessionToWrite = Omit<CheckoutSession, 'status'>
