import type { MessageInitShape } from '@bufbuild/protobuf'
import { actorFromText, enumFromProto, present, timestampFromDate } from '@storekeep/common/message'
import { RefundStatus as ProtoRefundStatus, type RefundSchema } from '@storekeep/proto/orders/v1/order'
import type { CreateRefundRequest, ListRefundsRequest } from '@storekeep/proto/orders/v1/orders_service'
import type { OrderRow } from '../orders/db/order-repository.ts'
import { linesOf } from '../orders/mappers.ts'
import type { Refund } from './db/refund-repository.ts'
import type { RefundableOrder, RefundInput, RefundLine, RefundStatus } from './domain/refund.ts'
import type { checkRefundFilter } from './domain/refund-filter.ts'

export function refundToProto(refund: Refund): MessageInitShape<typeof RefundSchema> {
  return present({
    id: refund.id,
    storeId: refund.storeId,
    paymentId: refund.paymentId,
    orderId: refund.orderId,
    amount: refund.amount,
    netAmount: refund.split?.netAmount,
    taxAmount: refund.split?.taxAmount,
    lines: refund.lines.map(({ position, quantity }: RefundLine) => ({ position, quantity })),
    reason: refund.reason,
    status: refundStatusToProto[refund.status],
    providerReference: refund.providerReference,
    failureReason: refund.failureReason,
    createdBy: actorFromText(refund.createdBy),
    createdAt: timestampFromDate(refund.createdAt),
  })
}

/** The part of an order that its refunds depend on. */
export function refundableOrder({ netAmount, taxAmount, ...order }: OrderRow): RefundableOrder {
  const tax = netAmount === null || taxAmount === null ? null : { netAmount, taxAmount }
  return { lines: linesOf(order), totalAmount: order.totalAmount, tax }
}

export function refundFromProto({ amount, lines, reason }: CreateRefundRequest): RefundInput {
  return { amount, lines: lines.map(({ position, quantity }) => ({ position, quantity })), reason }
}

export function refundFilterFromProto({
  status,
  orderId,
}: ListRefundsRequest): Parameters<typeof checkRefundFilter>[0] {
  return { status: enumFromProto(refundStatusToProto, status), orderId }
}

const refundStatusToProto = {
  pending: ProtoRefundStatus.PENDING,
  succeeded: ProtoRefundStatus.SUCCEEDED,
  failed: ProtoRefundStatus.FAILED,
} as const satisfies Record<RefundStatus, ProtoRefundStatus>
