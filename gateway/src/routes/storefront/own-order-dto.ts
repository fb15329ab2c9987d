import type { Order } from '@storekeep/proto/orders/v1/order'
import { lineSchema } from '@storekeep/records/checkouts/checkout-session-dto'
import { orderDto, orderDtoSchema, orderExample } from '@storekeep/records/orders/order-dto'
import { paymentProvider } from '@storekeep/records/payments/payment-enums'
import type { z } from 'zod'

/** A line without what only the store's servers use. */
export const ownLineSchema = lineSchema
  .omit({ metadata: true, payout_splits: true })
  .meta({ id: 'StorefrontOrderLineDto', description: 'One line of an order or a subscription.' })

type OwnLine = z.input<typeof ownLineSchema>

export function ownLine({ metadata, payout_splits, ...line }: z.input<typeof lineSchema>): OwnLine {
  return line
}

export const ownOrderDtoSchema = orderDtoSchema
  .omit({
    affiliate_link_id: true,
    billing_details: true,
    checkout_id: true,
    coupon_id: true,
    customer_id: true,
    locale: true,
    metadata: true,
    payment: true,
    store_id: true,
    tax_evidence: true,
  })
  .extend({
    lines: ownLineSchema.array().describe('The lines that were bought.'),
    payment_provider: paymentProvider.describe('Provider that collected the money.'),
  })
  .meta({ id: 'StorefrontOrderDto', description: 'An order of the signed-in customer.' })

type OwnOrderDto = z.input<typeof ownOrderDtoSchema>

/** An order as its customer may see it. */
export function ownOrderDto(order: Order): OwnOrderDto {
  return withoutStaffFields(orderDto(order))
}

function withoutStaffFields({
  affiliate_link_id,
  billing_details,
  checkout_id,
  coupon_id,
  customer_id,
  lines,
  locale,
  metadata,
  payment,
  store_id,
  tax_evidence,
  ...order
}: z.input<typeof orderDtoSchema>): OwnOrderDto {
  return { ...order, lines: lines.map(ownLine), payment_provider: payment.provider }
}

export const ownOrderExample = withoutStaffFields(orderExample)
