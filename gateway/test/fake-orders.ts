import type { MessageInitShape } from '@bufbuild/protobuf'
import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import type { Call, Handlers } from '@storekeep/common/grpc'
import { IntervalScale } from '@storekeep/proto/checkout/v1/product'
import { ActorType } from '@storekeep/proto/common/v1/actor'
import {
  type OrderSchema,
  OrderStatus,
  type RefundSchema,
  RefundStatus,
  TimelineKind,
} from '@storekeep/proto/orders/v1/order'
import type { OrdersService } from '@storekeep/proto/orders/v1/orders_service'
import {
  PaymentProvider,
  type PaymentSchema,
  PaymentSettlement,
  PaymentStatus,
} from '@storekeep/proto/orders/v1/payment'
import type { PaymentsService } from '@storekeep/proto/orders/v1/payments_service'
import {
  CancellationReason,
  type SubscriptionSchema,
  SubscriptionStatus,
} from '@storekeep/proto/orders/v1/subscription'
import type { SubscriptionsService } from '@storekeep/proto/orders/v1/subscriptions_service'
import { newId } from './ids.ts'

const createdAt = timestampFromDate(new Date('2026-11-20T14:35:17.042Z'))
const unused = () => Promise.reject(new Error('not called by the gateway'))

/** The orders of the orders service without its rules. */
export function ordersHandlers(): Handlers<typeof OrdersService> {
  return {
    getOrder: async ({ orderId }, call) => ({ order: orderMessage(orderId, call) }),
    listOrders: async (_request, call) => ({
      orders: [orderMessage(newId(), call)],
      page: { hasNext: false, hasPrevious: false },
    }),
    listTimeline: async (_request, { actor }) => ({
      entries: [{ id: newId(), kind: TimelineKind.PAID, paymentId: newId(), amount: 1998n, actor, createdAt }],
    }),
    createRefund: async ({ orderId, amount, lines }, call) => ({
      refund: refundMessage(orderId, { amount: amount ?? 1998n, lines }, call),
    }),
    listRefunds: async ({ orderId = newId() }, call) => ({
      refunds: [refundMessage(orderId, { amount: 1998n, lines: [] }, call)],
      page: { hasNext: false, hasPrevious: false },
    }),
    getTaxReport: async () => ({
      rows: [
        {
          ...{ currency: 'eur', country: 'DE', rate: 1900, orders: 2n, netAmount: 2000n, taxAmount: 380n },
          ...{ refundedNetAmount: 1000n, refundedTaxAmount: 190n },
        },
      ],
    }),
    listCustomerOrders: unused,
    getCustomerOrder: unused,
  }
}

/** The subscriptions of the orders service without its rules. */
export function subscriptionsHandlers(): Handlers<typeof SubscriptionsService> {
  return {
    getSubscription: async ({ subscriptionId }, call) => ({ subscription: subscriptionMessage(subscriptionId, call) }),
    listSubscriptions: async (_request, call) => ({
      subscriptions: [subscriptionMessage(newId(), call)],
      page: { hasNext: false, hasPrevious: false },
    }),
    cancelSubscription: async ({ subscriptionId, now }, call) => ({
      subscription: {
        ...subscriptionMessage(subscriptionId, call),
        cancellationReason: CancellationReason.REQUESTED,
        cancelAtPeriodEnd: !now,
      },
    }),
    listCustomerSubscriptions: unused,
    getCustomerSubscription: unused,
    cancelCustomerSubscription: unused,
    startPaymentMethodUpdate: unused,
    advanceTestSubscription: unused,
  }
}

function subscriptionMessage(id: string, { storeId = '', actor }: Call): MessageInitShape<typeof SubscriptionSchema> {
  return {
    id,
    storeId,
    customerId: buyerOf(actor),
    checkoutId: newId(),
    status: SubscriptionStatus.ACTIVE,
    currency: 'eur',
    lines: [{ name: 'VIP rank', quantity: 1, unitPrice: 999n, totalAmount: 999n, subscription: true }],
    intervalValue: 1,
    intervalScale: IntervalScale.MONTH,
    provider: PaymentProvider.TEST,
    paidPeriods: 1,
    currentPeriodStart: createdAt,
    currentPeriodEnd: createdAt,
    renewalAmount: 999n,
    createdAt,
    version: 1n,
  }
}

/** The payments of the orders service without its rules. */
export function paymentsHandlers(): Handlers<typeof PaymentsService> {
  const settings = { enabledProviders: [PaymentProvider.MANUAL], manualInstructions: 'Pay at the desk.' }
  return {
    listPayments: async (_request, call) => ({
      payments: [paymentMessage(newId(), newId(), call)],
      page: { hasNext: false, hasPrevious: false },
    }),
    markPaymentPaid: async ({ paymentId }, call) => ({ payment: paymentMessage(paymentId, newId(), call) }),
    recordPayment: unused,
    getPaymentSettings: async () => ({ settings }),
    updatePaymentSettings: async () => ({ settings }),
    listPaymentMethods: unused,
    startPayment: unused,
    getPaymentState: unused,
    checkWebhookReceiver: unused,
    handleWebhook: unused,
    actOnTestPayment: unused,
  }
}

function orderMessage(id: string, { storeId = '', actor }: Call): MessageInitShape<typeof OrderSchema> {
  return {
    id,
    storeId,
    number: 1042n,
    checkoutId: newId(),
    customerId: buyerOf(actor),
    status: OrderStatus.PAID,
    currency: 'eur',
    lines: [{ name: 'VIP rank', quantity: 2, unitPrice: 999n, totalAmount: 1998n }],
    subtotalAmount: 1998n,
    totalAmount: 1998n,
    payment: { id: newId(), provider: PaymentProvider.MANUAL },
    createdAt,
    version: 1n,
  }
}

function refundMessage(
  orderId: string,
  fields: Pick<MessageInitShape<typeof RefundSchema>, 'amount' | 'lines'>,
  { storeId = '', actor }: Call,
): MessageInitShape<typeof RefundSchema> {
  const given = { id: newId(), storeId, orderId, paymentId: newId(), ...fields }
  return { ...given, status: RefundStatus.PENDING, createdBy: actor, createdAt }
}

function paymentMessage(
  id: string,
  checkoutId: string,
  { storeId = '' }: Call,
): MessageInitShape<typeof PaymentSchema> {
  return {
    id,
    storeId,
    checkoutId,
    customerId: '411486491630370816',
    provider: PaymentProvider.MANUAL,
    status: PaymentStatus.SUCCEEDED,
    settlement: PaymentSettlement.COMPLETED,
    amount: 1998n,
    currency: 'eur',
    orderId: newId(),
    createdAt,
    succeededAt: createdAt,
  }
}

/** A shopper sees their own records. */
function buyerOf(actor: Call['actor'] | undefined): string {
  return actor?.type === ActorType.CUSTOMER ? (actor.id ?? '') : '411486491630370816'
}
