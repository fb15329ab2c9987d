import type { Transaction } from '@storekeep/common/postgres'
import type { AppContext } from '../../context.ts'
import { updatePayment } from '../../payments/db/payment-repository.ts'
import type { Payment } from '../../payments/domain/payment.ts'
import { takeoverMs } from '../../payments/steps/delays.ts'
import { insertRefund, type Refund } from '../db/refund-repository.ts'

/** Requests the refund of a locked payment that becomes no order. @returns undefined if nothing was paid */
export async function refundWithoutOrder(
  ctx: AppContext,
  tx: Transaction,
  payment: Payment,
  reason: string,
): Promise<Refund | undefined> {
  if (payment.amount === 0n) {
    await updatePayment(tx, payment, { settlement: 'refunded' }, null)
    return undefined
  }
  await updatePayment(tx, payment, { settlement: 'refunding' }, null)
  const createdAt = ctx.clock.now()
  const nextAt = new Date(createdAt.getTime() + takeoverMs)
  const { storeId, id: paymentId, amount } = payment
  const given = { storeId, paymentId, orderId: null, amount, lines: [], createdBy: 'internal', createdAt, nextAt }
  return await insertRefund(tx, { ...given, reason, attempt: 1 })
}
