import type { Transaction } from '@storekeep/common/postgres'
import { updatePayment } from '../../payments/db/payment-repository.ts'
import type { Payment } from '../../payments/domain/payment.ts'
import { takeoverMs } from '../../payments/steps/delays.ts'
import { insertRefund, type Refund } from '../db/refund-repository.ts'

/** A payment, and the refund of it that was requested, if any. */
export interface PaymentWork {
  payment: Payment
  refund?: Refund | undefined
}

export interface RefundedPayment extends PaymentWork {
  refund: Refund
}

/** Requests the refund of a locked payment without an order. Does nothing if nothing was paid. */
export async function requestRefund(
  tx: Transaction,
  before: Payment,
  reason: string,
  createdAt: Date,
): Promise<PaymentWork> {
  if (before.amount === 0n) return { payment: await updatePayment(tx, before, { settlement: 'refunded' }, null) }
  const payment = await updatePayment(tx, before, { settlement: 'refunding' }, null)
  const nextAt = new Date(createdAt.getTime() + takeoverMs)
  const { storeId, id: paymentId, amount } = payment
  const given = {
    storeId,
    paymentId,
    orderId: null,
    amount,
    split: null,
    lines: [],
    createdBy: 'internal',
    createdAt,
    nextAt,
  }
  return { payment, refund: await insertRefund(tx, { ...given, reason, attempt: 1 }) }
}
