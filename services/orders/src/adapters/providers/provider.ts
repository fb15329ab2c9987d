import type { DisputeReport, Payment, PaymentReport, PaymentRequest } from '../../payments/domain/payment.ts'
import type { RefundStatus } from '../../refunds/domain/refund.ts'
import type { SubscriptionReport } from '../../subscriptions/domain/subscription.ts'

/**
 * A payment provider with the credentials of a store. Every method may be called again after a crash or a lost response: calls for
 * the same payment or refund have one effect. Methods throw `service-unavailable` if the provider cannot be reached, or if the
 * credentials cannot be decrypted or are rejected, which the operator or the store can repair.
 */
export interface PaymentProvider {
  /** Creates the payment at the provider. */
  create(payment: Payment, request: PaymentRequest): Promise<CreatedPayment>
  /** The current state; undefined if only the shopper or the store's staff can change it. */
  read?(payment: Payment): Promise<PaymentReport | undefined>
  /** Whether an open payment ends with its session: only the store's staff can learn that it was paid. */
  endsWithSession?: true
  /**
   * Verifies a webhook. Absent if the store does not receive webhooks of the provider.
   * @returns what it reports; undefined if that is not about a payment of Storekeep
   * @throws ServiceFault `bad-request` if the signature is invalid, or the API version is unknown
   */
  readWebhook?(webhook: Webhook): Promise<ProviderEvent | undefined>
  /** Closes the provider's page for a payment that is no longer wanted. Does nothing if the shopper has paid, or it is closed. */
  close?(payment: Payment): Promise<void>
  /** Absent if the provider cannot renew subscriptions. */
  subscriptions?: SubscriptionProvider
  /** Makes the refund, whose id is the idempotency key, or reads its state if it was made before. */
  refund(payment: Payment, refund: RefundToMake): Promise<MadeRefundReport>
}

/** Subscriptions at a provider. Methods can be repeated, and throw, as in `PaymentProvider`. */
export interface SubscriptionProvider {
  /** The state and the paid periods. Absent if only `AdvanceTestSubscription` changes them. */
  read?(reference: string): Promise<SubscriptionReport>
  /** Ends the subscription, now or with its period. Does nothing if it has ended. */
  cancel(reference: string, isNow: boolean): Promise<void>
  /** Starts to replace the payment method. @returns where the customer enters the new one */
  startMethodUpdate?(reference: string, urls: MethodUrls): Promise<string>
  /** Uses the payment method that the customer has entered for the next renewals. */
  useMethod?(reference: string, setup: string): Promise<void>
}

/** Where the provider sends the customer afterwards. */
export interface MethodUrls {
  successUrl: string
  cancelUrl: string
}

export interface CreatedPayment {
  report: PaymentReport
  /** Where the shopper pays. */
  redirectUrl?: string
  /** The provider's page for the payment. */
  providerSession?: string
}

export interface Webhook {
  /** Lower-case names. */
  headers: Readonly<Record<string, string>>
  body: Buffer
}

export type ProviderEvent =
  | { kind: 'payment'; paymentId: string; report: PaymentReport }
  | { kind: 'dispute'; payment: ReportedPayment; report: DisputeReport }
  /** Something has changed. */
  | { kind: 'subscription'; reference: string }
  /** The customer has entered a new payment method. */
  | { kind: 'method'; reference: string; setup: string }
  | { kind: 'refund'; refundId: string; report: RefundReport }
  | { kind: 'made-refund'; payment: ReportedPayment; report: MadeRefund }

/** The payment of a session is found by its id, the payment of a renewal by the provider's references. */
export type ReportedPayment = { id: string } | { reference: string; subscription: string }

export interface RefundToMake {
  id: string
  amount: bigint
  /** The refund at the provider, if it was made before. */
  providerReference: string | null
}

export interface RefundReport {
  /** `pending`: accepted, not paid out yet. */
  status: RefundStatus
  providerReference?: string | undefined
  failureReason?: string | undefined
}

export interface MadeRefundReport extends RefundReport {
  /** The payment at the provider, which may name it only after it has reported it as paid. */
  paymentReference?: string | undefined
}

/** A refund that was made at the provider without Storekeep. */
export interface MadeRefund extends RefundReport {
  providerReference: string
  amount: bigint
}
