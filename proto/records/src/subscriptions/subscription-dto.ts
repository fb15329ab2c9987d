import { CancellationReason, type Subscription } from '@storekeep/proto/orders/v1/subscription'
import { z } from 'zod'
import { checkoutSessionExample, lineDto, lineSchema } from '../checkouts/checkout-session-dto.ts'
import { paymentProvider, paymentProviderValues } from '../payments/payment-enums.ts'
import { intervalScale, scaleValues } from '../products/product-text.ts'
import { nameOf } from '../schemas/enums.ts'
import { flakeId, int32, int64 } from '../schemas/fields.ts'
import { idFields } from '../schemas/record.ts'
import { dateTime, printTime } from '../schemas/times.ts'
import {
  cancellationReason,
  cancellationReasonValues,
  subscriptionStatus,
  subscriptionStatusValues,
} from './subscription-enums.ts'

export const subscriptionDtoSchema = z
  .object({
    ...idFields('subscription'),
    customer_id: flakeId.describe('The customer who pays.'),
    checkout_id: flakeId.describe('The checkout session that started the subscription.'),
    status: subscriptionStatus.describe('State of the subscription.'),
    currency: z.string().describe('Currency of all amounts: lower-case ISO 4217.'),
    lines: z
      .array(lineSchema)
      .describe('The subscription lines of the session. Later changes of products do not change them.'),
    coupon_id: flakeId.nullable().describe('The applied coupon.'),
    interval_value: int32(1).describe('Length of every period, in units of `interval_scale`.'),
    interval_scale: intervalScale.describe('Unit of the length.'),
    discounted_periods: int32(1)
      .nullable()
      .describe('How many periods the coupon discounts, counting the first; null for all of them.'),
    provider: paymentProvider.describe('Who collects the renewals.'),
    provider_reference: z.string().nullable().describe('The subscription at the provider.'),
    paid_periods: int32(1).describe('Number of periods that were paid.'),
    current_period_start: dateTime.describe('When the latest paid period began.'),
    current_period_end: dateTime.describe('When the latest paid period ends.'),
    renewal_amount: int64(0).describe('What the next renewal costs, including tax.'),
    cancel_at_period_end: z.boolean().describe('Whether the subscription ends with its current period.'),
    cancellation_reason: cancellationReason.nullable().describe('Why it ends or has ended; null if it renews.'),
    canceled_at: dateTime.nullable().describe('When the subscription ended.'),
    created_at: dateTime.describe('When the subscription started.'),
    updated_at: dateTime.nullable().describe('When the subscription last changed; null if it never changed.'),
  })
  .meta({
    id: 'SubscriptionDto',
    description: 'Subscription lines that renew together. Every paid period is an order.',
  })

export type SubscriptionDto = z.input<typeof subscriptionDtoSchema>

export function subscriptionDto(subscription: Subscription | undefined): SubscriptionDto {
  const { createdAt, currentPeriodStart, currentPeriodEnd } = subscription ?? {}
  if (!subscription || !createdAt || !currentPeriodStart || !currentPeriodEnd) {
    throw new Error('A service returned no subscription.')
  }
  const { cancellationReason: reason } = subscription
  return {
    id: subscription.id,
    store_id: subscription.storeId,
    customer_id: subscription.customerId,
    checkout_id: subscription.checkoutId,
    status: nameOf(subscriptionStatusValues, subscription.status),
    currency: subscription.currency,
    lines: subscription.lines.map(lineDto),
    coupon_id: subscription.couponId ?? null,
    interval_value: subscription.intervalValue,
    interval_scale: nameOf(scaleValues, subscription.intervalScale),
    discounted_periods: subscription.discountedPeriods ?? null,
    provider: nameOf(paymentProviderValues, subscription.provider),
    provider_reference: subscription.providerReference ?? null,
    paid_periods: subscription.paidPeriods,
    current_period_start: printTime(currentPeriodStart),
    current_period_end: printTime(currentPeriodEnd),
    renewal_amount: Number(subscription.renewalAmount),
    cancel_at_period_end: subscription.cancelAtPeriodEnd,
    cancellation_reason:
      reason === CancellationReason.UNSPECIFIED ? null : nameOf<ReasonName, unknown>(cancellationReasonValues, reason),
    canceled_at: printTime(subscription.canceledAt),
    created_at: printTime(createdAt),
    updated_at: printTime(subscription.updatedAt),
  }
}

type ReasonName = keyof typeof cancellationReasonValues

/** The rates of renewals can change, so the lines of a subscription have none. */
const noLineTax = { net_amount: null, tax_amount: null, gross_amount: null, tax_rate: null, tax_name: null }

export const subscriptionExample: SubscriptionDto = {
  id: '411486491630370900',
  store_id: '411486491596816384',
  customer_id: checkoutSessionExample.customer_id,
  checkout_id: checkoutSessionExample.id,
  status: 'active',
  currency: 'eur',
  lines: checkoutSessionExample.lines.map((line) => ({ ...line, ...noLineTax, subscription: true })),
  coupon_id: checkoutSessionExample.coupon_id,
  interval_value: 1,
  interval_scale: 'month',
  discounted_periods: 3,
  provider: 'stripe',
  provider_reference: 'sub_example',
  paid_periods: 2,
  current_period_start: '2026-12-20T14:40:02.000Z',
  current_period_end: '2027-01-20T14:40:02.000Z',
  renewal_amount: 1978,
  cancel_at_period_end: false,
  cancellation_reason: null,
  canceled_at: null,
  created_at: '2026-11-20T14:40:02.000Z',
  updated_at: '2026-12-20T14:40:02.000Z',
}
