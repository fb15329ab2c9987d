import { fromJson, type MessageInitShape, toJson } from '@bufbuild/protobuf'
import { timestampDate, timestampFromDate } from '@bufbuild/protobuf/wkt'
import { actorFromText, enumFromProto, present, timestampOrAbsent } from '@storekeep/common/message'
import {
  CheckoutLineSchema,
  type CheckoutSession,
  CustomerDetailsSchema,
} from '@storekeep/proto/checkout/v1/checkout_session'
import { parseEmailAddress } from '@storekeep/proto/conventions/email-address'
import {
  type OrderSchema,
  OrderStatus as ProtoOrderStatus,
  RefundStatus as ProtoRefundStatus,
  TimelineKind as ProtoTimelineKind,
  type RefundSchema,
  type TimelineEntrySchema,
} from '@storekeep/proto/orders/v1/order'
import type { CreateRefundRequest, ListOrdersRequest } from '@storekeep/proto/orders/v1/orders_service'
import {
  type PaymentSchema,
  PaymentProvider as ProtoProvider,
  PaymentSettlement as ProtoSettlement,
  PaymentStatus as ProtoStatus,
} from '@storekeep/proto/orders/v1/payment'
import type {
  ListPaymentsRequest,
  PaymentSettingsSchema,
  UpdatePaymentSettingsRequest,
} from '@storekeep/proto/orders/v1/payments_service'
import type { NewOrder, OrderRow } from './db/order-repository.ts'
import type { Refund } from './db/refund-repository.ts'
import type { TimelineRow } from './db/timeline-repository.ts'
import type { Json, OrderStatus, TimelineKind } from './domain/order.ts'
import type { OrderFilterInput } from './domain/order-filter.ts'
import type { Payment, PaymentSettlement, PaymentStatus, ProviderName } from './domain/payment.ts'
import type { PaymentFilterInput } from './domain/payment-filter.ts'
import { enabledProviders, type PaymentSettings, type SettingsInput } from './domain/payment-settings.ts'
import type { RefundInput, RefundLine, RefundStatus } from './domain/refund.ts'
import type { Subscription } from './subscriptions/domain/subscription.ts'

/** The order of a completed session. @param subscription that it starts */
export function orderOfSession(
  session: CheckoutSession,
  payment: Payment,
  subscription: Subscription | undefined,
): Omit<NewOrder, 'status' | 'createdAt'> {
  const { customerDetails } = session
  return {
    storeId: session.storeId,
    checkoutId: session.id,
    customerId: session.customerId,
    currency: session.currency,
    lines: session.lines.map((line) => toJson(CheckoutLineSchema, line)),
    couponId: session.couponId ?? null,
    couponVersionId: session.couponVersionId ?? null,
    couponCode: session.couponCode ?? null,
    affiliateLinkId: session.affiliateLinkId ?? null,
    subtotalAmount: session.subtotalAmount,
    couponDiscountAmount: session.couponDiscountAmount,
    affiliateDiscountAmount: session.affiliateDiscountAmount,
    totalAmount: session.totalAmount,
    metadata: session.metadata,
    billingDetails: customerDetails ? toJson(CustomerDetailsSchema, customerDetails) : null,
    foldedEmail: parseEmailAddress(customerDetails?.billingEmail ?? '') ?? null,
    paymentId: payment.id,
    paymentProvider: payment.provider,
    paymentReference: payment.providerReference,
    subscriptionId: subscription?.id ?? null,
    renewal: false,
    periodStart: subscription?.currentPeriodStart ?? null,
    periodEnd: subscription?.currentPeriodEnd ?? null,
  }
}

export function orderToProto(row: OrderRow): MessageInitShape<typeof OrderSchema> {
  return present({
    id: row.id,
    storeId: row.storeId,
    number: BigInt(row.number),
    checkoutId: row.checkoutId,
    customerId: row.customerId,
    status: orderStatusToProto[row.status],
    currency: row.currency,
    lines: linesOf(row).map((line) => fromJson(CheckoutLineSchema, line, lenient)),
    couponId: row.couponId,
    couponVersionId: row.couponVersionId,
    couponCode: row.couponCode,
    affiliateLinkId: row.affiliateLinkId,
    subtotalAmount: row.subtotalAmount,
    couponDiscountAmount: row.couponDiscountAmount,
    affiliateDiscountAmount: row.affiliateDiscountAmount,
    discountAmount: row.couponDiscountAmount + row.affiliateDiscountAmount,
    totalAmount: row.totalAmount,
    refundedAmount: row.refundedAmount,
    metadata: row.metadata,
    billingDetails: row.billingDetails === null ? null : fromJson(CustomerDetailsSchema, row.billingDetails, lenient),
    payment: present({
      id: row.paymentId,
      provider: providerToProto[row.paymentProvider],
      providerReference: row.paymentReference,
    }),
    subscriptionId: row.subscriptionId,
    subscriptionPeriod:
      row.periodStart && row.periodEnd
        ? { start: timestampFromDate(row.periodStart), end: timestampFromDate(row.periodEnd) }
        : null,
    createdAt: timestampFromDate(row.createdAt),
    updatedAt: timestampOrAbsent(row.updatedAt),
    version: BigInt(row.version),
  })
}

/** What a refund needs to know of the lines of an order. */
export function refundableLines(row: OrderRow): { quantity: number; totalAmount: bigint }[] {
  return linesOf(row).map((line) => fromJson(CheckoutLineSchema, line, lenient))
}

export function refundToProto(refund: Refund): MessageInitShape<typeof RefundSchema> {
  return present({
    id: refund.id,
    storeId: refund.storeId,
    paymentId: refund.paymentId,
    orderId: refund.orderId,
    amount: refund.amount,
    lines: refund.lines.map(({ position, quantity }: RefundLine) => ({ position, quantity })),
    reason: refund.reason,
    status: refundStatusToProto[refund.status],
    providerReference: refund.providerReference,
    failureReason: refund.failureReason,
    createdBy: actorFromText(refund.createdBy),
    createdAt: timestampFromDate(refund.createdAt),
  })
}

export function timelineToProto(row: TimelineRow): MessageInitShape<typeof TimelineEntrySchema> {
  return present({
    id: row.id,
    kind: timelineKindToProto[row.kind],
    paymentId: row.paymentId,
    refundId: row.refundId,
    amount: row.amount,
    actor: actorFromText(row.actor),
    createdAt: timestampFromDate(row.createdAt),
  })
}

export function paymentToProto(payment: Payment): MessageInitShape<typeof PaymentSchema> {
  return present({
    id: payment.id,
    storeId: payment.storeId,
    checkoutId: payment.checkoutId,
    customerId: payment.customerId,
    provider: providerToProto[payment.provider],
    providerReference: payment.providerReference,
    status: paymentStatusToProto[payment.status],
    settlement: settlementToProto[payment.settlement],
    amount: payment.amount,
    currency: payment.currency,
    orderId: payment.orderId,
    failureReason: payment.failureReason,
    createdAt: timestampFromDate(payment.createdAt),
    succeededAt: timestampOrAbsent(payment.succeededAt),
  })
}

/** Never returns a secret. */
export function settingsToProto(
  settings: PaymentSettings,
  isTestAllowed: boolean,
): MessageInitShape<typeof PaymentSettingsSchema> {
  return present({
    enabledProviders: enabledProviders(settings, isTestAllowed).map((provider) => providerToProto[provider]),
    manualInstructions: settings.manualInstructions,
    hasStripeSecretKey: settings.stripeSecretKey !== null,
    hasStripeWebhookSecret: settings.stripeWebhookSecret !== null,
    banOnChargeback: settings.banOnChargeback,
  })
}

export function settingsFromProto(request: UpdatePaymentSettingsRequest): SettingsInput {
  return {
    enabledProviders: request.enabledProviders?.providers.map(providerFromProto),
    manualInstructions: request.manualInstructions,
    stripeSecretKey: request.stripeSecretKey,
    stripeWebhookSecret: request.stripeWebhookSecret,
    banOnChargeback: request.banOnChargeback,
  }
}

export function providerFromProto(provider: ProtoProvider): ProviderName | 'invalid' {
  return enumFromProto(providerToProto, provider)
}

export function filterFromProto(request: ListOrdersRequest): OrderFilterInput {
  const { status, customerId, billingEmail, subscriptionId, createdAfter, createdBefore } = request
  return {
    status: enumFromProto(orderStatusToProto, status),
    customerId,
    email: billingEmail,
    subscriptionId,
    createdAfter: createdAfter && timestampDate(createdAfter),
    createdBefore: createdBefore && timestampDate(createdBefore),
  }
}

export function paymentFilterFromProto(request: ListPaymentsRequest): PaymentFilterInput {
  const { checkoutId, status, customerId, billingEmail: email } = request
  const checkout = checkoutId === '' ? undefined : checkoutId
  return { checkoutId: checkout, status: enumFromProto(paymentStatusToProto, status), customerId, email }
}

export function refundFromProto({ amount, lines, reason }: CreateRefundRequest): RefundInput {
  return { amount, lines: lines.map(({ position, quantity }) => ({ position, quantity })), reason }
}

/** A line that a newer release stored may have fields that this one does not know. */
export const lenient = { ignoreUnknownFields: true }

function linesOf({ lines }: OrderRow): Json[] {
  return Array.isArray(lines) ? lines : []
}

export const providerToProto = {
  test: ProtoProvider.TEST,
  manual: ProtoProvider.MANUAL,
  stripe: ProtoProvider.STRIPE,
  free: ProtoProvider.FREE,
} as const satisfies Record<ProviderName, ProtoProvider>

const paymentStatusToProto = {
  pending: ProtoStatus.PENDING,
  processing: ProtoStatus.PROCESSING,
  succeeded: ProtoStatus.SUCCEEDED,
  failed: ProtoStatus.FAILED,
  canceled: ProtoStatus.CANCELED,
} as const satisfies Record<PaymentStatus, ProtoStatus>

const settlementToProto = {
  none: ProtoSettlement.NONE,
  pending: ProtoSettlement.PENDING,
  completed: ProtoSettlement.COMPLETED,
  refunding: ProtoSettlement.REFUNDING,
  refunded: ProtoSettlement.REFUNDED,
} as const satisfies Record<PaymentSettlement, ProtoSettlement>

const orderStatusToProto = {
  paid: ProtoOrderStatus.PAID,
  partially_refunded: ProtoOrderStatus.PARTIALLY_REFUNDED,
  refunded: ProtoOrderStatus.REFUNDED,
  charged_back: ProtoOrderStatus.CHARGED_BACK,
} as const satisfies Record<OrderStatus, ProtoOrderStatus>

const refundStatusToProto = {
  pending: ProtoRefundStatus.PENDING,
  succeeded: ProtoRefundStatus.SUCCEEDED,
  failed: ProtoRefundStatus.FAILED,
} as const satisfies Record<RefundStatus, ProtoRefundStatus>

const timelineKindToProto = {
  paid: ProtoTimelineKind.PAID,
  marked_paid: ProtoTimelineKind.MARKED_PAID,
  refund_requested: ProtoTimelineKind.REFUND_REQUESTED,
  refund_succeeded: ProtoTimelineKind.REFUND_SUCCEEDED,
  refund_failed: ProtoTimelineKind.REFUND_FAILED,
  charged_back: ProtoTimelineKind.CHARGED_BACK,
  chargeback_reversed: ProtoTimelineKind.CHARGEBACK_REVERSED,
} as const satisfies Record<TimelineKind, ProtoTimelineKind>
