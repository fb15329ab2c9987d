import { create, fromJson, type MessageInitShape, toJson } from '@bufbuild/protobuf'
import { enumFromProto, present, timestampFromDate, timestampOrAbsent } from '@storekeep/common/message'
import {
  CheckoutLineSchema,
  type CheckoutSession,
  CustomerDetailsSchema,
  type Tax,
  TaxSchema,
} from '@storekeep/proto/checkout/v1/checkout_session'
import { IntervalScale as ProtoScale } from '@storekeep/proto/checkout/v1/product'
import {
  CancellationReason as ProtoReason,
  SubscriptionStatus as ProtoStatus,
  type SubscriptionSchema,
} from '@storekeep/proto/orders/v1/subscription'
import type { ListSubscriptionsRequest } from '@storekeep/proto/orders/v1/subscriptions_service'
import type { FilterInput } from '../domain/list-filter.ts'
import type { FromPayment, NewOrder, OrderRow } from '../orders/db/order-repository.ts'
import type { Json } from '../orders/domain/order.ts'
import { lenient, linesOf, taxOfOrder } from '../orders/mappers.ts'
import type { Interval, PaidPeriod, RenewalTerms } from '../payments/domain/payment.ts'
import { providerToProto } from '../payments/mappers.ts'
import {
  amountsOfRenewal,
  type CancellationReason,
  priceOfPeriod,
  type Subscription,
  type SubscriptionStatus,
} from './domain/subscription.ts'
import type { SubscriptionFilter } from './domain/subscription-filter.ts'

/** How the subscription lines of a session renew; null without such lines. */
export function renewalTermsOf({ subscription, lines, couponId, tax }: CheckoutSession): RenewalTerms | null {
  const intervalScale = subscription && enumFromProto(scaleToProto, subscription.intervalScale)
  if (!subscription || intervalScale === undefined || intervalScale === 'invalid') return null
  const renewing = lines.filter((line) => line.subscription)
  const discountedPeriods = subscription.discountedPeriods ?? null
  const terms = { couponId: couponId ?? null, discountedPeriods, addedTaxRate: addedTaxRateOf(tax) }
  const price = priceOfPeriod(terms, renewing, 1)
  return {
    intervalValue: subscription.intervalValue,
    intervalScale,
    subtotal: String(price.subtotalAmount),
    discount: String(price.subtotalAmount - price.totalAmount),
    discountedPeriods,
  }
}

/** The rate of the tax that a session adds to the prices; null if it adds none. */
export function addedTaxRateOf(tax: Tax | undefined): number | null {
  return tax && !tax.inclusive && tax.rate > 0 ? tax.rate : null
}

/** The subscription lines of a session as protobuf JSON, without their tax, which can change. */
export function renewingLines({ lines }: CheckoutSession): Json {
  return lines
    .filter((line) => line.subscription)
    .map((line) => toJson(CheckoutLineSchema, create(CheckoutLineSchema, { ...line, ...noTax })))
}

const noTax = { netAmount: undefined, taxAmount: undefined, taxRate: undefined, taxName: undefined }

/**
 * The order of a paid renewal.
 * @param first the order that started the subscription
 * @param terms how it is taxed now; undefined without tax
 */
export function orderOfRenewal(
  subscription: Subscription,
  { start, end, amount, currency }: PaidPeriod,
  first: OrderRow,
  terms: Tax | undefined,
  createdAt: Date,
): Omit<NewOrder, 'status' | FromPayment> {
  const { isDiscounted, lines, taxAmount, ...amounts } = amountsOfRenewal(
    subscription,
    linesOf(subscription),
    amount,
    terms?.rate ?? null,
  )
  const inclusive = subscription.addedTaxRate === null
  const tax =
    terms && taxAmount !== undefined
      ? create(TaxSchema, { ...terms, inclusive, netAmount: amount - taxAmount, taxAmount })
      : undefined
  const rate = { taxRate: terms?.rate, taxName: terms?.name }
  return {
    id: null,
    currency,
    lines: lines.map((line) => toJson(CheckoutLineSchema, create(CheckoutLineSchema, { ...line, ...rate }))),
    ...taxOfOrder(tax, createdAt),
    createdAt,
    couponId: isDiscounted ? subscription.couponId : null,
    couponVersionId: null,
    couponCode: isDiscounted ? first.couponCode : null,
    affiliateLinkId: null,
    ...amounts,
    affiliateDiscountAmount: 0n,
    metadata: first.metadata,
    billingDetails: first.billingDetails,
    foldedEmail: first.foldedEmail,
    subscriptionId: subscription.id,
    renewal: true,
    periodStart: start,
    periodEnd: end,
  }
}

/** The shopper's address in the first order. */
export function emailOf({ billingDetails }: OrderRow): string | undefined {
  return billingDetails === null ? undefined : fromJson(CustomerDetailsSchema, billingDetails, lenient).billingEmail
}

export function subscriptionToProto(row: Subscription): MessageInitShape<typeof SubscriptionSchema> {
  return present({
    id: row.id,
    storeId: row.storeId,
    customerId: row.customerId,
    checkoutId: row.checkoutId,
    status: statusToProto[row.status],
    currency: row.currency,
    lines: linesOf(row),
    couponId: row.couponId,
    intervalValue: row.intervalValue,
    intervalScale: scaleToProto[row.intervalScale],
    discountedPeriods: row.discountedPeriods,
    addedTaxRate: row.addedTaxRate,
    provider: providerToProto[row.provider],
    providerReference: row.providerReference,
    paidPeriods: row.paidPeriods,
    currentPeriodStart: timestampFromDate(row.currentPeriodStart),
    currentPeriodEnd: timestampFromDate(row.currentPeriodEnd),
    renewalAmount: priceOfPeriod(row, linesOf(row), row.paidPeriods + 1).totalAmount,
    cancelAtPeriodEnd: row.cancelAtPeriodEnd,
    cancellationReason: row.cancellationReason && reasonToProto[row.cancellationReason],
    canceledAt: timestampOrAbsent(row.canceledAt),
    createdAt: timestampFromDate(row.createdAt),
    updatedAt: timestampOrAbsent(row.updatedAt),
    version: BigInt(row.version),
  })
}

export function filterFromProto({ status, customerId }: ListSubscriptionsRequest): FilterInput<SubscriptionFilter> {
  return { status: enumFromProto(statusToProto, status), customerId }
}

const scaleToProto = {
  day: ProtoScale.DAY,
  week: ProtoScale.WEEK,
  month: ProtoScale.MONTH,
  year: ProtoScale.YEAR,
} as const satisfies Record<Interval['intervalScale'], ProtoScale>

const statusToProto = {
  active: ProtoStatus.ACTIVE,
  past_due: ProtoStatus.PAST_DUE,
  canceled: ProtoStatus.CANCELED,
} as const satisfies Record<SubscriptionStatus, ProtoStatus>

const reasonToProto = {
  requested: ProtoReason.REQUESTED,
  banned: ProtoReason.BANNED,
  payment_failed: ProtoReason.PAYMENT_FAILED,
} as const satisfies Record<CancellationReason, ProtoReason>
