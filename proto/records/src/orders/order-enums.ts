import { OrderStatus, RefundStatus, TimelineKind } from '@storekeep/proto/orders/v1/order'
import { z } from 'zod'
import { namesOf } from '../schemas/enums.ts'

export const orderStatusValues = {
  paid: OrderStatus.PAID,
  partially_refunded: OrderStatus.PARTIALLY_REFUNDED,
  refunded: OrderStatus.REFUNDED,
  charged_back: OrderStatus.CHARGED_BACK,
} as const

export const orderStatus = z.enum(namesOf(orderStatusValues)).meta({
  id: 'OrderStatusDto',
  description: '`charged_back` while the payer disputes the payment, and after the payer wins the dispute.',
})

export const refundStatusValues = {
  pending: RefundStatus.PENDING,
  succeeded: RefundStatus.SUCCEEDED,
  failed: RefundStatus.FAILED,
} as const

export const refundStatus = z.enum(namesOf(refundStatusValues)).meta({
  id: 'RefundStatusDto',
  description: '`pending` until the payment provider makes or rejects the refund.',
})

export const timelineKindValues = {
  paid: TimelineKind.PAID,
  marked_paid: TimelineKind.MARKED_PAID,
  refund_requested: TimelineKind.REFUND_REQUESTED,
  refund_succeeded: TimelineKind.REFUND_SUCCEEDED,
  refund_failed: TimelineKind.REFUND_FAILED,
  charged_back: TimelineKind.CHARGED_BACK,
  chargeback_reversed: TimelineKind.CHARGEBACK_REVERSED,
} as const

export const timelineKind = z.enum(namesOf(timelineKindValues)).meta({
  id: 'OrderTimelineKindDto',
  description: 'What happened to the order. `marked_paid`: your staff confirmed a manual payment.',
})
