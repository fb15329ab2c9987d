import type { CheckoutLine, CheckoutSession, SubscriptionTerms } from '@storekeep/proto/checkout/v1/checkout_session'
import type { Order } from '@storekeep/proto/orders/v1/order'
import { z } from 'zod'
import { intervalScale, scaleValues } from '../products/product-text.ts'
import { actorDto } from '../schemas/actor.ts'
import { nameOf } from '../schemas/enums.ts'
import { flakeId, int32, int64, metadataText, stringMap } from '../schemas/fields.ts'
import { auditExample, auditFields, idFields } from '../schemas/record.ts'
import { dateTime, printTime } from '../schemas/times.ts'
import { lineTaxDto, lineTaxFields, taxDto, taxExample, taxFields } from '../taxes/tax-fields.ts'
import { checkoutStatus, checkoutStatusName } from './checkout-status.ts'

const payoutSplitSchema = z
  .object({
    payout_id: z.string().describe('Payout account: an id from your own system.'),
    percentage: int64(0).nullable().describe('Share in basis points; null for the remainder.'),
    platform_fee: int64(0).nullable().describe('Platform fee in basis points.'),
  })
  .meta({ id: 'PayoutSplitDto', description: 'Share of one payout account.' })

export const lineSchema = z
  .object({
    product_id: flakeId.nullable().describe('The product; null for an inline product.'),
    name: z.string().describe('Name of the product when the session was created.'),
    quantity: int32(1).describe('Number of units.'),
    unit_price: int64(0).describe('Price of one unit, including the chosen options; never below 0.'),
    options_amount: int64(Number.MIN_SAFE_INTEGER).describe(
      'Part of `unit_price` that the chosen options add; negative for a reduction.',
    ),
    discount_amount: int64(0).describe('Coupon discount on the whole line.'),
    total_amount: int64(0).describe('Price of the line after the coupon discount, before taxes that are added.'),
    ...lineTaxFields,
    subscription: z.boolean().describe('Whether the line is a subscription.'),
    gift_to_customer_id: flakeId.nullable().describe('The recipient of a gift, found or created from `gift_to`.'),
    selected_gameserver_id: flakeId.nullable().describe('Game server to deliver to.'),
    payout_splits: z.array(payoutSplitSchema).describe('How the income of the line is shared.'),
    custom_variables: stringMap.describe('Answers of the buyer, by identifier of the custom variable.'),
    metadata: stringMap.describe(metadataText),
  })
  .meta({ id: 'CheckoutSessionLineDto', description: 'One line of a checkout session, with its price.' })

const subscriptionTermsSchema = z
  .object({
    interval_value: int32(1).describe('Length of every period, in units of `interval_scale`.'),
    interval_scale: intervalScale.describe('Unit of the length.'),
    discounted_periods: int32(1)
      .nullable()
      .describe('How many periods the coupon discounts, counting the first; null for all of them.'),
  })
  .meta({ id: 'SubscriptionTermsDto', description: 'How the subscription lines of a session renew.' })

/** What sessions and their orders say about discounts. */
export const discountFields = {
  coupon_id: flakeId.nullable().describe('The applied coupon.'),
  affiliate_link_id: flakeId.nullable().describe('The applied affiliate link.'),
  subtotal_amount: int64(0).describe('Sum of the lines before discounts.'),
  coupon_discount_amount: int64(0).describe('Discount from the coupon.'),
  affiliate_discount_amount: int64(0).describe('Discount from the affiliate link.'),
  discount_amount: int64(0).describe('Sum of both discounts.'),
}

export const checkoutSessionDtoSchema = z
  .object({
    ...idFields('checkout session'),
    customer_id: flakeId.describe('The customer who buys.'),
    status: checkoutStatus.describe('State of the session.'),
    currency: z.string().describe('Currency of all amounts: lower-case ISO 4217.'),
    lines: z.array(lineSchema).describe('The lines, in the order of the request.'),
    ...discountFields,
    total_amount: int64(0).describe('Amount to pay, including tax.'),
    ...taxFields,
    subscription: subscriptionTermsSchema
      .nullable()
      .describe('How the subscription lines renew; null without such lines.'),
    return_url: z.string().nullable().describe('Where the customer is sent after paying.'),
    cancel_url: z.string().nullable().describe('Where the customer is sent after canceling.'),
    editable: z.boolean().describe('Whether the customer may change quantities and remove lines.'),
    metadata: stringMap.describe(metadataText),
    expires_at: dateTime.describe(
      'When an open session expires: 24 hours after its creation, 14 days if a payment is processing.',
    ),
    created_by: auditFields.created_by,
    created_at: auditFields.created_at,
    completed_at: dateTime.nullable().describe('When the session was paid.'),
    canceled_at: dateTime.nullable().describe('When the session was canceled.'),
    order_id: flakeId.nullable().describe('The order that the session became; null unless a payment completed it.'),
  })
  .meta({
    id: 'CheckoutSessionDto',
    description: 'A priced order that a customer can pay. Amounts are in the smallest unit of the currency.',
  })

export type CheckoutSessionDto = z.input<typeof checkoutSessionDtoSchema>

/** A session in a response: never with its token. */
export function checkoutSessionDto(session: CheckoutSession | undefined): CheckoutSessionDto {
  if (!session?.createdAt || !session.expiresAt) throw new Error('A service returned no checkout session.')
  return {
    id: session.id,
    store_id: session.storeId,
    customer_id: session.customerId,
    status: checkoutStatusName(session.status),
    currency: session.currency,
    lines: session.lines.map(lineDto),
    ...discountDto(session),
    total_amount: Number(session.totalAmount),
    ...taxDto(session),
    subscription: session.subscription ? subscriptionTermsDto(session.subscription) : null,
    return_url: session.returnUrl ?? null,
    cancel_url: session.cancelUrl ?? null,
    editable: session.editable,
    metadata: { ...session.metadata },
    expires_at: printTime(session.expiresAt),
    created_by: actorDto(session.createdBy),
    created_at: printTime(session.createdAt),
    completed_at: printTime(session.completedAt),
    canceled_at: printTime(session.canceledAt),
    order_id: session.orderId ?? null,
  }
}

function subscriptionTermsDto(terms: SubscriptionTerms): z.input<typeof subscriptionTermsSchema> {
  return {
    interval_value: terms.intervalValue,
    interval_scale: nameOf(scaleValues, terms.intervalScale),
    discounted_periods: terms.discountedPeriods ?? null,
  }
}

export function discountDto(record: CheckoutSession | Order) {
  return {
    coupon_id: record.couponId ?? null,
    affiliate_link_id: record.affiliateLinkId ?? null,
    subtotal_amount: Number(record.subtotalAmount),
    coupon_discount_amount: Number(record.couponDiscountAmount),
    affiliate_discount_amount: Number(record.affiliateDiscountAmount),
    discount_amount: Number(record.discountAmount),
  }
}

export function lineDto(line: CheckoutLine): z.input<typeof lineSchema> {
  return {
    product_id: line.productId ?? null,
    name: line.name,
    quantity: line.quantity,
    unit_price: Number(line.unitPrice),
    options_amount: Number(line.optionsAmount),
    discount_amount: Number(line.discountAmount),
    total_amount: Number(line.totalAmount),
    ...lineTaxDto(line),
    subscription: line.subscription,
    gift_to_customer_id: line.giftToCustomerId ?? null,
    selected_gameserver_id: line.selectedGameserverId ?? null,
    payout_splits: line.payoutSplits.map(({ payoutId, percentage, platformFee }) => ({
      payout_id: payoutId,
      percentage: percentage === undefined ? null : Number(percentage),
      platform_fee: platformFee === undefined ? null : Number(platformFee),
    })),
    custom_variables: { ...line.customVariables },
    metadata: { ...line.metadata },
  }
}

export const checkoutSessionExample: CheckoutSessionDto = {
  id: '411486491630370840',
  store_id: '411486491596816384',
  customer_id: '411486491630370816',
  status: 'open',
  currency: 'eur',
  lines: [
    {
      product_id: '411486491630370832',
      name: 'VIP rank',
      quantity: 2,
      unit_price: 1099,
      options_amount: 100,
      discount_amount: 220,
      total_amount: 1978,
      net_amount: 1662,
      tax_amount: 316,
      gross_amount: 1978,
      tax_rate: 1900,
      tax_name: 'VAT',
      subscription: false,
      gift_to_customer_id: null,
      selected_gameserver_id: null,
      payout_splits: [],
      custom_variables: { color: 'red' },
      metadata: {},
    },
  ],
  coupon_id: '411486491630370850',
  affiliate_link_id: null,
  subtotal_amount: 2198,
  coupon_discount_amount: 220,
  affiliate_discount_amount: 0,
  discount_amount: 220,
  total_amount: 1978,
  ...taxExample,
  subscription: null,
  return_url: 'https://shop.example.com/thanks',
  cancel_url: null,
  editable: false,
  metadata: {},
  expires_at: '2026-11-21T14:35:17.000Z',
  created_by: auditExample.created_by,
  created_at: auditExample.created_at,
  completed_at: null,
  canceled_at: null,
  order_id: null,
}
