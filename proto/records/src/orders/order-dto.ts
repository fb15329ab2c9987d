import type { CustomerDetails } from '@storekeep/proto/checkout/v1/checkout_session'
import type { Order, SubscriptionPeriod } from '@storekeep/proto/orders/v1/order'
import { z } from 'zod'
import {
  checkoutSessionExample,
  discountDto,
  discountFields,
  lineDto,
  lineSchema,
} from '../checkouts/checkout-session-dto.ts'
import { paymentProvider, paymentProviderValues } from '../payments/payment-enums.ts'
import { nameOf } from '../schemas/enums.ts'
import { flakeId, int64, metadataText, stringMap } from '../schemas/fields.ts'
import { idFields } from '../schemas/record.ts'
import { dateTime, printTime } from '../schemas/times.ts'
import { taxDto, taxExample, taxFields } from '../taxes/tax-fields.ts'
import { orderStatus, orderStatusValues } from './order-enums.ts'

const textOrNull = (description: string) => z.string().nullable().describe(description)

const addressSchema = z
  .object({
    country: textOrNull('ISO 3166-1 alpha-2 code.'),
    state: textOrNull('State, province or region.'),
    city: textOrNull('City or town.'),
    postal_code: textOrNull('Postal code.'),
    line_1: textOrNull('First address line.'),
    line_2: textOrNull('Second address line.'),
  })
  .meta({ id: 'BillingAddressDto', description: 'Address on an invoice.' })

const detailsSchema = z
  .object({
    billing_name: textOrNull('Name on the invoice.'),
    billing_email: textOrNull('Email address of the customer.'),
    billing_tax_id: textOrNull('Tax id on the invoice.'),
    billing_address: addressSchema.nullable().describe('Address on the invoice.'),
  })
  .meta({ id: 'OrderBillingDetailsDto', description: 'Billing details entered by the customer.' })

const periodSchema = z
  .object({
    start: dateTime.describe('When the period begins.'),
    end: dateTime.describe('When the period ends.'),
  })
  .meta({ id: 'SubscriptionPeriodDto', description: 'Billing period of a subscription.' })

const paymentSchema = z
  .object({
    id: flakeId.describe('Id of the payment.'),
    provider: paymentProvider.describe('Provider that collected the money.'),
    provider_reference: textOrNull('Id of the payment at the provider, such as a Stripe payment intent.'),
  })
  .meta({ id: 'OrderPaymentDto', description: 'The payment of an order.' })

export const orderDtoSchema = z
  .object({
    ...idFields('order'),
    number: int64(1).describe('Number of the order in the store: 1, 2, 3 and so on.'),
    invoice_number: textOrNull(
      'Number of the invoice: the year in the time zone of the store, then 000001, 000002 and so on without gaps. null without tax.',
    ),
    checkout_id: flakeId.describe('The checkout session that was paid, or that started the renewed subscription.'),
    customer_id: flakeId.describe('The customer who bought.'),
    status: orderStatus.describe('State of the order.'),
    currency: z.string().describe('Currency of all amounts: lower-case ISO 4217.'),
    lines: z.array(lineSchema).describe('The lines, as in the checkout session.'),
    ...discountFields,
    total_amount: int64(0).describe('Amount that was paid, including tax.'),
    ...taxFields,
    refunded_amount: int64(0).describe('Sum of all refunds that succeeded.'),
    payment: paymentSchema.describe('The payment that completed the checkout session.'),
    subscription_id: flakeId.nullable().describe('The subscription that the order starts or renews.'),
    subscription_period: periodSchema.nullable().describe('The period of the subscription that the order pays.'),
    billing_details: detailsSchema.nullable().describe('Billing details entered by the customer.'),
    locale: textOrNull('Language in which the customer paid, such as `de-AT`; null if it is not known.'),
    metadata: stringMap.describe(metadataText),
    created_at: dateTime.describe('When the order was created.'),
    updated_at: dateTime.nullable().describe('When the order last changed; null if it never changed.'),
  })
  .meta({
    id: 'OrderDto',
    description:
      'A paid checkout session, or a renewal of a subscription. Amounts are in the smallest unit of the currency.',
  })

export type OrderDto = z.input<typeof orderDtoSchema>

export function orderDto(order: Order | undefined): OrderDto {
  if (!order?.createdAt || !order.payment) throw new Error('A service returned no order.')
  return {
    id: order.id,
    store_id: order.storeId,
    number: Number(order.number),
    invoice_number: order.invoiceNumber ?? null,
    checkout_id: order.checkoutId,
    customer_id: order.customerId,
    status: nameOf(orderStatusValues, order.status),
    currency: order.currency,
    lines: order.lines.map(lineDto),
    ...discountDto(order),
    total_amount: Number(order.totalAmount),
    ...taxDto(order),
    refunded_amount: Number(order.refundedAmount),
    payment: {
      id: order.payment.id,
      provider: nameOf(paymentProviderValues, order.payment.provider),
      provider_reference: order.payment.providerReference ?? null,
    },
    subscription_id: order.subscriptionId ?? null,
    subscription_period: order.subscriptionPeriod ? periodDto(order.subscriptionPeriod) : null,
    billing_details: order.billingDetails ? detailsDto(order.billingDetails) : null,
    locale: order.locale ?? null,
    metadata: { ...order.metadata },
    created_at: printTime(order.createdAt),
    updated_at: printTime(order.updatedAt),
  }
}

function periodDto({ start, end }: SubscriptionPeriod): z.input<typeof periodSchema> {
  if (!start || !end) throw new Error('A service returned a period without its times.')
  return { start: printTime(start), end: printTime(end) }
}

function detailsDto({ billingName, billingEmail, billingTaxId, billingAddress }: CustomerDetails) {
  return {
    billing_name: billingName ?? null,
    billing_email: billingEmail ?? null,
    billing_tax_id: billingTaxId ?? null,
    billing_address: billingAddress
      ? {
          country: billingAddress.country ?? null,
          state: billingAddress.state ?? null,
          city: billingAddress.city ?? null,
          postal_code: billingAddress.postalCode ?? null,
          line_1: billingAddress.line1 ?? null,
          line_2: billingAddress.line2 ?? null,
        }
      : null,
  }
}

export const orderExample: OrderDto = {
  id: '411486491630370860',
  store_id: '411486491596816384',
  number: 1042,
  invoice_number: '2026-000987',
  checkout_id: checkoutSessionExample.id,
  customer_id: checkoutSessionExample.customer_id,
  status: 'paid',
  currency: 'eur',
  lines: checkoutSessionExample.lines,
  coupon_id: checkoutSessionExample.coupon_id,
  affiliate_link_id: null,
  subtotal_amount: 2198,
  coupon_discount_amount: 220,
  affiliate_discount_amount: 0,
  discount_amount: 220,
  total_amount: 1978,
  ...taxExample,
  refunded_amount: 0,
  payment: { id: '411486491630370870', provider: 'stripe', provider_reference: 'pi_example' },
  subscription_id: null,
  subscription_period: null,
  billing_details: {
    billing_name: 'Robin Doe',
    billing_email: 'robin@example.com',
    billing_tax_id: null,
    billing_address: null,
  },
  locale: 'en-GB',
  metadata: {},
  created_at: '2026-11-20T14:40:02.000Z',
  updated_at: null,
}
