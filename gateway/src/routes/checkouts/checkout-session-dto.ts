import type { CheckoutLine, CheckoutSession } from '@storekeep/proto/checkout/v1/checkout_session'
import { z } from 'zod'
import { actorDto, actorDtoSchema, actorExample } from '../../schemas/actor.ts'
import { flakeId, int32, int64 } from '../../schemas/fields.ts'
import { dateTime, printTime } from '../../schemas/times.ts'
import { checkoutStatus, checkoutStatusName } from './checkout-status.ts'

const lineSchema = z
  .object({
    product_id: flakeId.nullable().meta({ description: 'Null when the line brought its own product.' }),
    name: z.string(),
    quantity: int32(1),
    unit_price: int64(0).meta({ description: 'Of the product and the options chosen.' }),
    options_amount: int64(Number.MIN_SAFE_INTEGER).meta({ description: 'Part of the unit price.' }),
    discount_amount: int64(0).meta({ description: 'The part of the coupon, for the whole line.' }),
    total_amount: int64(0),
    subscription: z.boolean(),
    gift_to_customer_id: flakeId.nullable(),
    custom_variables: z.record(z.string(), z.string()),
    metadata: z.record(z.string(), z.string()),
  })
  .meta({ id: 'CheckoutSessionLineDto' })

/** Amounts are in the smallest unit of the currency. */
export const checkoutSessionDtoSchema = z
  .object({
    id: flakeId,
    store_id: flakeId,
    customer_id: flakeId,
    status: checkoutStatus,
    currency: z.string().meta({ description: 'Lower-case ISO 4217.' }),
    lines: z.array(lineSchema),
    coupon_id: flakeId.nullable(),
    affiliate_link_id: flakeId.nullable(),
    subtotal_amount: int64(0),
    coupon_discount_amount: int64(0),
    affiliate_discount_amount: int64(0),
    discount_amount: int64(0).meta({ description: 'Of coupon and affiliate link together.' }),
    total_amount: int64(0).meta({ description: 'What is to be paid.' }),
    return_url: z.string().nullable(),
    cancel_url: z.string().nullable(),
    metadata: z.record(z.string(), z.string()),
    expires_at: dateTime,
    created_by: actorDtoSchema,
    created_at: dateTime,
    completed_at: dateTime.nullable(),
    canceled_at: dateTime.nullable(),
  })
  .meta({ id: 'CheckoutSessionDto' })

export type CheckoutSessionDto = z.input<typeof checkoutSessionDtoSchema>

/** A session as the public interface prints it: never with its token; what has no value is null. */
export function checkoutSessionDto(session: CheckoutSession | undefined): CheckoutSessionDto {
  if (!session?.createdAt || !session.expiresAt) throw new Error('A service answered without the checkout session.')
  return {
    id: session.id,
    store_id: session.storeId,
    customer_id: session.customerId,
    status: checkoutStatusName(session.status),
    currency: session.currency,
    lines: session.lines.map(lineDto),
    coupon_id: session.couponId ?? null,
    affiliate_link_id: session.affiliateLinkId ?? null,
    subtotal_amount: Number(session.subtotalAmount),
    coupon_discount_amount: Number(session.couponDiscountAmount),
    affiliate_discount_amount: Number(session.affiliateDiscountAmount),
    discount_amount: Number(session.discountAmount),
    total_amount: Number(session.totalAmount),
    return_url: session.returnUrl ?? null,
    cancel_url: session.cancelUrl ?? null,
    metadata: { ...session.metadata },
    expires_at: printTime(session.expiresAt),
    created_by: actorDto(session.createdBy),
    created_at: printTime(session.createdAt),
    completed_at: printTime(session.completedAt),
    canceled_at: printTime(session.canceledAt),
  }
}

function lineDto(line: CheckoutLine): z.input<typeof lineSchema> {
  return {
    product_id: line.productId ?? null,
    name: line.name,
    quantity: line.quantity,
    unit_price: Number(line.unitPrice),
    options_amount: Number(line.optionsAmount),
    discount_amount: Number(line.discountAmount),
    total_amount: Number(line.totalAmount),
    subscription: line.subscription,
    gift_to_customer_id: line.giftToCustomerId ?? null,
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
      subscription: false,
      gift_to_customer_id: null,
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
  return_url: 'https://shop.example.com/thanks',
  cancel_url: null,
  metadata: {},
  expires_at: '2026-11-21T14:35:17.000Z',
  created_by: actorExample,
  created_at: '2026-11-20T14:35:17.000Z',
  completed_at: null,
  canceled_at: null,
}
