import { create } from '@bufbuild/protobuf'
import { CheckoutSessionStatus } from '@storekeep/proto/checkout/v1/checkout_session'
import { PaymentProvider, PaymentSettlement, PaymentStatus } from '@storekeep/proto/orders/v1/payment'
import { GetPaymentStateResponseSchema } from '@storekeep/proto/orders/v1/payments_service'
import { describe, expect, it } from 'vitest'
import { stageOf } from './checkout-stage.ts'

const { OPEN, COMPLETED, CANCELED, EXPIRED } = CheckoutSessionStatus
const { PENDING, PROCESSING, SUCCEEDED, FAILED } = PaymentStatus
const none = PaymentSettlement.NONE

describe('the stage of a checkout', () => {
  it.each([
    ['open', OPEN, undefined],
    ['open', OPEN, { status: PENDING, settlement: none }],
    ['declined', OPEN, { status: FAILED, settlement: none }],
    ['processing', OPEN, { status: PROCESSING, settlement: none }],
    ['manual', OPEN, { status: PROCESSING, settlement: none, provider: PaymentProvider.MANUAL }],
    ['finishing', OPEN, { status: SUCCEEDED, settlement: PaymentSettlement.PENDING }],
    ['finishing', COMPLETED, { status: SUCCEEDED, settlement: PaymentSettlement.COMPLETED }],
    ['already-paid', COMPLETED, undefined],
    ['already-paid', COMPLETED, { status: SUCCEEDED, settlement: PaymentSettlement.REFUNDED }],
    ['canceled', CANCELED, { status: FAILED, settlement: none }],
    ['expired', EXPIRED, undefined],
    ['refunded-open', OPEN, { status: SUCCEEDED, settlement: PaymentSettlement.REFUNDING }],
    ['refunded-open', OPEN, { status: SUCCEEDED, settlement: PaymentSettlement.REFUNDED }],
    ['refunded', EXPIRED, { status: SUCCEEDED, settlement: PaymentSettlement.REFUNDING }],
    ['refunded', CANCELED, { status: SUCCEEDED, settlement: PaymentSettlement.REFUNDED }],
  ])('is %s', (stage, sessionStatus, payment) => {
    const state = create(GetPaymentStateResponseSchema, { sessionStatus, ...(payment && { payment }) })
    expect(stageOf(state)).toBe(stage)
  })

  it('is success once there is an order, regardless of other payments', () => {
    const payment = { status: FAILED, settlement: none }
    const state = create(GetPaymentStateResponseSchema, { sessionStatus: COMPLETED, payment, order: { number: 7n } })
    expect(stageOf(state)).toBe('success')
  })
})
