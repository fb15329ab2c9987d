import type { MessageInitShape } from '@bufbuild/protobuf'
import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { actorFromText, present, timestampOrAbsent } from '@storekeep/common/message'
import type { ListCheckoutSessionsRequest } from '@storekeep/proto/checkout/v1/checkout_service'
import {
  type CheckoutLineSchema,
  type CheckoutSessionSchema,
  type CustomerDetailsSchema,
  CheckoutSessionStatus as ProtoStatus,
} from '@storekeep/proto/checkout/v1/checkout_session'
import { termsToProto } from '../products/mappers.ts'
import type { SessionRow } from './db/schema.ts'
import {
  type CheckoutLine,
  type CustomerDetails,
  type SessionStatus,
  sessionStatuses,
  statusAt,
} from './domain/checkout-session.ts'
import type { FilterInput } from './domain/session-filter.ts'

export function filterFromProto({ status, customerId }: ListCheckoutSessionsRequest): FilterInput {
  return { status: status === undefined ? undefined : statusFromProto(status), customerId }
}

/** @param now decides whether an open session is over */
export function sessionToProto(row: SessionRow, now: Date): MessageInitShape<typeof CheckoutSessionSchema> {
  return present({
    id: row.id,
    storeId: row.storeId,
    customerId: row.customerId,
    status: statusToProto[statusAt(row, now)],
    currency: row.currency,
    lines: row.lines.map(lineToProto),
    couponId: row.couponId,
    couponVersionId: row.couponVersionId,
    affiliateLinkId: row.affiliateLinkId,
    subtotalAmount: row.subtotalAmount,
    couponDiscountAmount: row.couponDiscountAmount,
    affiliateDiscountAmount: row.affiliateDiscountAmount,
    discountAmount: row.couponDiscountAmount + row.affiliateDiscountAmount,
    totalAmount: row.totalAmount,
    returnUrl: row.returnUrl,
    cancelUrl: row.cancelUrl,
    autoRedirect: row.autoRedirect,
    metadata: row.metadata,
    customerDetails: row.customerDetails && detailsToProto(row.customerDetails),
    expiresAt: timestampFromDate(row.expiresAt),
    createdBy: actorFromText(row.createdBy),
    createdAt: timestampFromDate(row.createdAt),
    completedAt: timestampOrAbsent(row.completedAt),
    canceledAt: timestampOrAbsent(row.canceledAt),
    version: BigInt(row.version),
  })
}

function lineToProto(line: CheckoutLine): MessageInitShape<typeof CheckoutLineSchema> {
  return present({
    productId: line.productId,
    name: line.name,
    quantity: line.quantity,
    unitPrice: line.unitPrice,
    optionsAmount: line.optionsAmount,
    discountAmount: line.discountAmount,
    totalAmount: line.totalAmount,
    subscription: line.subscription,
    trial: line.trial,
    giftToCustomerId: line.giftToCustomerId,
    selectedGameserverId: line.selectedGameserverId,
    customVariables: line.customVariables,
    metadata: line.metadata,
    payoutSplits: line.payoutSplits.map(({ payoutId, percentage, platformFee }) =>
      present({
        payoutId,
        percentage: percentage === null ? null : BigInt(percentage),
        platformFee: platformFee === null ? null : BigInt(platformFee),
      }),
    ),
    inlineProduct: line.inlineProduct && termsToProto(line.inlineProduct),
  })
}

function detailsToProto({ billingAddress, ...rest }: CustomerDetails): MessageInitShape<typeof CustomerDetailsSchema> {
  return present({ ...rest, billingAddress: billingAddress && present(billingAddress) })
}

const statusToProto = {
  open: ProtoStatus.OPEN,
  completed: ProtoStatus.COMPLETED,
  canceled: ProtoStatus.CANCELED,
  expired: ProtoStatus.EXPIRED,
} as const satisfies Record<SessionStatus, ProtoStatus>

function statusFromProto(status: ProtoStatus): SessionStatus | 'invalid' {
  return sessionStatuses.find((one) => statusToProto[one] === status) ?? 'invalid'
}
