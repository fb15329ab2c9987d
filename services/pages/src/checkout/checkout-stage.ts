import { CheckoutSessionStatus } from '@storekeep/proto/checkout/v1/checkout_session'
import { PaymentProvider, PaymentSettlement, PaymentStatus } from '@storekeep/proto/orders/v1/payment'
import type { GetPaymentStateResponse } from '@storekeep/proto/orders/v1/payments_service'

/** What the shopper of a checkout can do, or waits for. */
export type Stage =
  | 'open'
  | 'declined'
  | 'refunded-open'
  | 'manual'
  | 'processing'
  | 'finishing'
  | 'success'
  | 'already-paid'
  | 'canceled'
  | 'expired'
  | 'refunded'

/** Stages that always show the form of the session. */
export type PayableStage = (typeof payableStages)[number]
const payableStages = ['open', 'declined', 'refunded-open'] as const

export function isPayable(stage: Stage): stage is PayableStage {
  return payableStages.some((one) => one === stage)
}

/**
 * Money that may become an order comes first. Money that is returned never hides the form of an open session, which can
 * still be paid.
 */
export function stageOf({
  sessionStatus,
  payment,
  order,
}: Pick<GetPaymentStateResponse, 'sessionStatus' | 'payment' | 'order'>): Stage {
  if (order) return 'success'
  switch (payment?.settlement) {
    case PaymentSettlement.PENDING:
    case PaymentSettlement.COMPLETED:
      return 'finishing'
    case PaymentSettlement.REFUNDING:
    case PaymentSettlement.REFUNDED:
      return stageAfterRefund(sessionStatus)
    default:
  }
  switch (sessionStatus) {
    case CheckoutSessionStatus.COMPLETED:
      return 'already-paid'
    case CheckoutSessionStatus.CANCELED:
      return 'canceled'
    case CheckoutSessionStatus.EXPIRED:
      return 'expired'
    default:
  }
  switch (payment?.status) {
    case PaymentStatus.FAILED:
      return 'declined'
    case PaymentStatus.PROCESSING:
      return payment.provider === PaymentProvider.MANUAL ? 'manual' : 'processing'
    default:
      return 'open'
  }
}

function stageAfterRefund(sessionStatus: CheckoutSessionStatus): Stage {
  switch (sessionStatus) {
    case CheckoutSessionStatus.OPEN:
      return 'refunded-open'
    case CheckoutSessionStatus.COMPLETED:
      return 'already-paid'
    default:
      return 'refunded'
  }
}
