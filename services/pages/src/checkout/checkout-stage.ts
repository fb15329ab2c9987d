import { CheckoutSessionStatus } from '@storekeep/proto/checkout/v1/checkout_session'
import { PaymentProvider, PaymentSettlement, PaymentStatus } from '@storekeep/proto/orders/v1/payment'
import type { GetPaymentStateResponse } from '@storekeep/proto/orders/v1/payments_service'

/** What the shopper of a checkout can do, or waits for. */
export type Stage =
  | 'open'
  | 'declined'
  | 'manual'
  | 'processing'
  | 'finishing'
  | 'success'
  | 'already-paid'
  | 'canceled'
  | 'expired'
  | 'refunded'

/** Money first: a shopper who has paid sees the state of the payment, whatever the state of the session. */
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
      return sessionStatus === CheckoutSessionStatus.COMPLETED ? 'already-paid' : 'refunded'
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
