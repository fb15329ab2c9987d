import { errors } from '@storekeep/common/errors'
import { requireFlakeId } from '@storekeep/common/flake'
import { type Call, requireStore } from '@storekeep/common/grpc'
import { actorText } from '@storekeep/common/message'
import type { Transaction } from '@storekeep/common/postgres'
import { sum } from '@storekeep/common/values'
import { write } from '@storekeep/common/write'
import { refundLimits } from '@storekeep/proto/conventions/limits'
import type { AppContext, OrderHandlers } from '../../context.ts'
import { findOrder, lockOrder, type OrderRow } from '../../orders/db/order-repository.ts'
import { addToTimeline } from '../../orders/db/timeline-repository.ts'
import { findPayment, lockPayment } from '../../payments/db/payment-repository.ts'
import { takeoverMs } from '../../payments/steps/delays.ts'
import { advance } from '../../steps/advance.ts'
import { originOf } from '../../steps/origin.ts'
import { findRefund, insertRefund, type Refund, selectRefunds } from '../db/refund-repository.ts'
import { checkRefund, type RefundInput, refundAmount, splitRefund } from '../domain/refund.ts'
import { refundableOrder, refundFromProto, refundToProto } from '../mappers.ts'

/** Stores the refund first, so that the provider makes it exactly once even if this process is killed. */
export function createRefund(ctx: AppContext): OrderHandlers['createRefund'] {
  return async (request, call) => {
    const storeId = requireStore(call)
    const orderId = requireFlakeId('order_id', request.orderId)
    const input = refundFromProto(request)
    checkRefund(input)
    const order = await findOrder(ctx.database, storeId, orderId)
    if (!order) throw errors.notFound('order')
    const response = await write(ctx, call, request, async (tx) => ({
      refund: refundToProto(await insertRequested(ctx, tx, call, order, input)),
    }))
    // A repeated call has the response of the first one, which may have been made before the provider was called.
    const [refund, payment] = await Promise.all([
      findRefund(ctx.database, storeId, response.refund?.id ?? ''),
      findPayment(ctx.database, { storeId, id: order.paymentId }),
    ])
    if (!refund || !payment) throw new Error('a requested refund was not found')
    const after = await advance(ctx, { payment, refund }, originOf(call))
    return { refund: refundToProto(after.refund ?? refund) }
  }
}

/** Under the lock of the payment, so that concurrent refunds never exceed what was paid. */
async function insertRequested(
  ctx: AppContext,
  tx: Transaction,
  call: Call,
  { storeId, id: orderId, paymentId }: OrderRow,
  input: RefundInput,
): Promise<Refund> {
  const payment = await lockPayment(tx, { storeId, id: paymentId })
  const order = await lockOrder(tx, storeId, orderId)
  if (order.status === 'charged_back') throw errors.conflict('The payer has charged the order back.')
  const all = await selectRefunds(tx, storeId, paymentId)
  if (all.length >= refundLimits.perOrder)
    throw errors.conflict(`The order already has ${refundLimits.perOrder} refunds.`)
  const refunds = all.filter(({ status }) => status !== 'failed')
  const left = payment.amount - sum(refunds.map((refund) => refund.amount))
  const refunded = refunds.flatMap(({ lines }) => lines)
  const refundable = refundableOrder(order)
  const amount = refundAmount(input, refundable, refunded, left)
  const split = splitRefund(amount, input.lines, refundable, refunds)
  const createdAt = ctx.clock.now()
  const nextAt = new Date(createdAt.getTime() + takeoverMs)
  const { lines, reason = null } = input
  const createdBy = actorText(call.actor)
  const given = {
    storeId,
    paymentId,
    orderId,
    amount,
    split,
    lines,
    reason,
    attempt: null,
    createdBy,
    createdAt,
    nextAt,
  }
  const refund = await insertRefund(tx, given)
  const entry = { storeId, orderId, kind: 'refund_requested', paymentId, refundId: refund.id, amount } as const
  addToTimeline(tx, { ...entry, actor: createdBy, createdAt })
  return refund
}
