import { fromJson, type MessageInitShape, toJson } from '@bufbuild/protobuf'
import { timestampDate } from '@bufbuild/protobuf/wkt'
import { actorFromText, enumFromProto, present, timestampFromDate, timestampOrAbsent } from '@storekeep/common/message'
import {
  type CheckoutLine,
  CheckoutLineSchema,
  type CheckoutSession,
  CustomerDetailsSchema,
  type Tax,
  TaxSchema,
} from '@storekeep/proto/checkout/v1/checkout_session'
import {
  type OrderSchema,
  OrderStatus as ProtoOrderStatus,
  TimelineKind as ProtoTimelineKind,
  type TimelineEntrySchema,
} from '@storekeep/proto/orders/v1/order'
import type { ListOrdersRequest } from '@storekeep/proto/orders/v1/orders_service'
import { foldedEmailOf } from '../adapters/checkout-sessions.ts'
import type { FilterInput } from '../domain/list-filter.ts'
import { providerToProto } from '../payments/mappers.ts'
import type { FromPayment, NewOrder, OrderRow } from './db/order-repository.ts'
import type { TimelineRow } from './db/timeline-repository.ts'
import { invoiceYear } from './domain/invoice-year.ts'
import type { Json, OrderStatus, TimelineKind } from './domain/order.ts'
import type { OrderFilter } from './domain/order-filter.ts'

/** The order of a completed session. @param subscription that it starts */
export function orderOfSession(
  session: CheckoutSession,
  subscription: { id: string; currentPeriodStart: Date; currentPeriodEnd: Date } | undefined,
  createdAt: Date,
): Omit<NewOrder, 'status' | FromPayment> {
  const { customerDetails } = session
  return {
    id: session.orderId ?? null,
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
    ...taxOfOrder(session.tax, createdAt),
    metadata: session.metadata,
    billingDetails: customerDetails ? toJson(CustomerDetailsSchema, customerDetails) : null,
    foldedEmail: foldedEmailOf(session),
    renewal: false,
    subscriptionId: subscription?.id ?? null,
    periodStart: subscription?.currentPeriodStart ?? null,
    periodEnd: subscription?.currentPeriodEnd ?? null,
    createdAt,
  }
}

/** The columns of a tax. @param createdAt decides the year of the invoice */
export function taxOfOrder(
  tax: Tax | undefined,
  createdAt: Date,
): Pick<NewOrder, 'tax' | 'netAmount' | 'taxAmount' | 'invoiceYear'> {
  if (!tax) return { tax: null, netAmount: null, taxAmount: null, invoiceYear: null }
  const { netAmount, taxAmount, timeZone } = tax
  return { tax: toJson(TaxSchema, tax), netAmount, taxAmount, invoiceYear: invoiceYear(createdAt, timeZone) }
}

/** How an order is taxed; undefined without tax. */
export function taxOf({ tax }: Pick<OrderRow, 'tax'>): Tax | undefined {
  return tax === null ? undefined : fromJson(TaxSchema, tax, lenient)
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
    lines: linesOf(row),
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
    tax: taxOf(row),
    invoiceNumber: row.invoiceNumber,
    metadata: row.metadata,
    billingDetails: row.billingDetails === null ? null : fromJson(CustomerDetailsSchema, row.billingDetails, lenient),
    payment: present({
      id: row.paymentId,
      provider: providerToProto[row.paymentProvider],
      providerReference: row.paymentReference,
    }),
    subscriptionId: row.subscriptionId,
    renewal: row.renewal,
    locale: row.locale,
    subscriptionPeriod:
      row.periodStart && row.periodEnd
        ? { start: timestampFromDate(row.periodStart), end: timestampFromDate(row.periodEnd) }
        : null,
    createdAt: timestampFromDate(row.createdAt),
    updatedAt: timestampOrAbsent(row.updatedAt),
    version: BigInt(row.version),
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

export function filterFromProto(request: ListOrdersRequest): FilterInput<OrderFilter> {
  const { status, customerId, billingEmail, subscriptionId, checkoutId, createdAfter, createdBefore } = request
  return {
    status: enumFromProto(orderStatusToProto, status),
    customerId,
    email: billingEmail,
    subscriptionId,
    checkoutId,
    createdAfter: createdAfter && timestampDate(createdAfter),
    createdBefore: createdBefore && timestampDate(createdBefore),
  }
}

/** A newer release may have stored fields that this one does not know. */
export const lenient = { ignoreUnknownFields: true }

/** The lines of an order or a subscription. */
export function linesOf({ lines }: { lines: Json }): CheckoutLine[] {
  return Array.isArray(lines) ? lines.map((line) => fromJson(CheckoutLineSchema, line, lenient)) : []
}

const orderStatusToProto = {
  paid: ProtoOrderStatus.PAID,
  partially_refunded: ProtoOrderStatus.PARTIALLY_REFUNDED,
  refunded: ProtoOrderStatus.REFUNDED,
  charged_back: ProtoOrderStatus.CHARGED_BACK,
} as const satisfies Record<OrderStatus, ProtoOrderStatus>

const timelineKindToProto = {
  paid: ProtoTimelineKind.PAID,
  marked_paid: ProtoTimelineKind.MARKED_PAID,
  refund_requested: ProtoTimelineKind.REFUND_REQUESTED,
  refund_succeeded: ProtoTimelineKind.REFUND_SUCCEEDED,
  refund_failed: ProtoTimelineKind.REFUND_FAILED,
  charged_back: ProtoTimelineKind.CHARGED_BACK,
  chargeback_reversed: ProtoTimelineKind.CHARGEBACK_REVERSED,
} as const satisfies Record<TimelineKind, ProtoTimelineKind>
