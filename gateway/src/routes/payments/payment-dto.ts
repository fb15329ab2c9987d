import type { Payment } from '@storekeep/proto/orders/v1/payment'
import {
  paymentProvider,
  paymentProviderValues,
  paymentStatus,
  paymentStatusValues,
  settlement,
  settlementValues,
} from '@storekeep/records/payments/payment-enums'
import { nameOf } from '@storekeep/records/schemas/enums'
import { flakeId, int64 } from '@storekeep/records/schemas/fields'
import { idFields } from '@storekeep/records/schemas/record'
import { dateTime, printTime } from '@storekeep/records/schemas/times'
import { z } from 'zod'

export const paymentDtoSchema = z
  .object({
    ...idFields('payment'),
    checkout_id: flakeId.describe('The checkout session that is paid.'),
    customer_id: flakeId.describe('The customer of the checkout session.'),
    provider: paymentProvider.describe('Provider that collects the money.'),
    provider_reference: z.string().nullable().describe('The payment at the provider.'),
    status: paymentStatus.describe('State of the payment.'),
    settlement: settlement.describe('What happened to the money.'),
    amount: int64(0).describe('Amount to pay, or the amount that was received.'),
    currency: z.string().describe('Lower-case ISO 4217.'),
    order_id: flakeId.nullable().describe('The order that the payment completed.'),
    failure_reason: z.string().nullable().describe('Why the payment failed, as reported by the provider.'),
    created_at: dateTime.describe('When the customer started to pay.'),
    succeeded_at: dateTime.nullable().describe('When the money was received.'),
  })
  .meta({ id: 'PaymentDto', description: 'One attempt to pay a checkout session.' })

export type PaymentDto = z.input<typeof paymentDtoSchema>

export function paymentDto(payment: Payment | undefined): PaymentDto {
  if (!payment?.createdAt) throw new Error('A service returned no payment.')
  return {
    id: payment.id,
    store_id: payment.storeId,
    checkout_id: payment.checkoutId,
    customer_id: payment.customerId,
    provider: nameOf(paymentProviderValues, payment.provider),
    provider_reference: payment.providerReference ?? null,
    status: nameOf(paymentStatusValues, payment.status),
    settlement: nameOf(settlementValues, payment.settlement),
    amount: Number(payment.amount),
    currency: payment.currency,
    order_id: payment.orderId ?? null,
    failure_reason: payment.failureReason ?? null,
    created_at: printTime(payment.createdAt),
    succeeded_at: printTime(payment.succeededAt),
  }
}

export const paymentExample: PaymentDto = {
  id: '411486491630370870',
  store_id: '411486491596816384',
  checkout_id: '411486491630370840',
  customer_id: '411486491630370816',
  provider: 'manual',
  provider_reference: null,
  status: 'processing',
  settlement: 'none',
  amount: 1978,
  currency: 'eur',
  order_id: null,
  failure_reason: null,
  created_at: '2026-11-20T14:35:17.000Z',
  succeeded_at: null,
}
