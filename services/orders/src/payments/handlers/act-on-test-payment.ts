import { errors, violation } from '@storekeep/common/errors'
import { requireFlakeId } from '@storekeep/common/flake'
import { requireStore } from '@storekeep/common/grpc'
import { TestPaymentAction } from '@storekeep/proto/orders/v1/payments_service'
import type { AppContext, PaymentHandlers } from '../../context.ts'
import { reportDispute } from '../../orders/steps/report-dispute.ts'
import { advance } from '../../steps/advance.ts'
import { originOf } from '../../steps/origin.ts'
import { findPayment } from '../db/payment-repository.ts'
import { isOpen, type PaymentStatus } from '../domain/payment.ts'
import { paymentToProto } from '../mappers.ts'
import { assertTestEnabled } from '../steps/assert-test-enabled.ts'
import { reportPayment } from '../steps/report-payment.ts'

export function actOnTestPayment(ctx: AppContext): PaymentHandlers['actOnTestPayment'] {
  return async ({ paymentId, action }, call) => {
    const key = { storeId: requireStore(call), id: requireFlakeId('payment_id', paymentId) }
    const payment = await findPayment(ctx.database, key)
    if (payment?.provider !== 'test') throw errors.notFound('test payment')
    await assertTestEnabled(ctx, key.storeId)
    if (action === TestPaymentAction.CHARGE_BACK) {
      if (payment.status !== 'succeeded') throw errors.conflict(`The payment is ${payment.status}.`)
      const report = { disputeReference: `test_${payment.id}`, status: 'open' } as const
      return { payment: paymentToProto(await reportDispute(ctx, key, report, originOf(call))) }
    }
    const status = statuses[action]
    if (status === undefined) throw errors.validationFailed([violation('action', 'enum', 'is unknown')])
    if (!isOpen(payment) && payment.status !== status) throw errors.conflict(`The payment is ${payment.status}.`)
    const failureReason = status === 'failed' ? 'The payment was declined.' : undefined
    const reported = await reportPayment(ctx, key, { status, failureReason })
    const after = await advance(ctx, { payment: reported }, originOf(call))
    return { payment: paymentToProto(after.payment) }
  }
}

const statuses: Partial<Record<TestPaymentAction, PaymentStatus>> = {
  [TestPaymentAction.APPROVE]: 'succeeded',
  [TestPaymentAction.DECLINE]: 'failed',
  [TestPaymentAction.DELAY]: 'processing',
}
