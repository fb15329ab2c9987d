import type { MessageInitShape } from '@bufbuild/protobuf'
import { timestampDate } from '@bufbuild/protobuf/wkt'
import { errors, violation } from '@storekeep/common/errors'
import { requireFlakeId } from '@storekeep/common/flake'
import { present, timestampFromDate } from '@storekeep/common/message'
import { RedemptionState as ProtoState, type RedemptionSchema } from '@storekeep/proto/coupons/v1/redemption'
import {
  RedemptionRejection as ProtoRejection,
  type ReserveCouponRequest,
  type ReserveCouponResponseSchema,
} from '@storekeep/proto/coupons/v1/redemptions_service'
import { durationToProto } from '../coupons/mappers.ts'
import type { Order, OrderCodes } from './domain/order.ts'
import type { RedemptionOutcome, ReserveOutcome } from './domain/outcome.ts'
import type { Redemption, RedemptionState, Rejection } from './domain/redemption.ts'

/** @throws ServiceFault `validation-failed` for malformed ids and a missing `expires_at` */
export function orderFromProto(storeId: string, request: ReserveCouponRequest): Order {
  const { expiresAt } = request
  if (!expiresAt) throw errors.validationFailed([violation('expires_at', 'required', 'is required')])
  return {
    ...codesFromProto(storeId, request),
    checkoutId: requireFlakeId('checkout_id', request.checkoutId),
    replacedCheckoutId: optionalFlakeId('replaced_checkout_id', request.replacedCheckoutId),
    lines: request.lines.map(({ $typeName, $unknown, productId = null, ...line }) => ({ productId, ...line })),
    expiresAt: timestampDate(expiresAt),
  }
}

/** @throws ServiceFault `validation-failed` for malformed ids */
export function codesFromProto(storeId: string, request: ReserveCouponRequest): OrderCodes {
  const { customerId, couponId, promoCodes, affiliateCode, affiliateLinkId } = request
  return {
    storeId,
    customerId: requireFlakeId('customer_id', customerId),
    couponId: optionalFlakeId('coupon_id', couponId),
    promoCodes,
    affiliateCode,
    affiliateLinkId: optionalFlakeId('affiliate_link_id', affiliateLinkId),
  }
}

function optionalFlakeId(path: string, id: string | undefined): string | undefined {
  return id === undefined ? undefined : requireFlakeId(path, id)
}

export function discountsToProto({
  coupon,
  affiliateLink,
  lineDiscounts,
  affiliateDiscount,
}: ReserveOutcome): MessageInitShape<typeof ReserveCouponResponseSchema> {
  return present({
    coupon:
      coupon &&
      present({
        couponId: coupon.terms.id,
        code: coupon.terms.code,
        couponVersionId: coupon.terms.versionId,
        lineDiscounts: [...lineDiscounts],
        duration: durationToProto[coupon.terms.duration],
        durationInMonths: coupon.terms.durationInMonths,
        durationInIntervals: coupon.terms.durationInIntervals,
      }),
    affiliateLink: affiliateLink && { affiliateLinkId: affiliateLink.id, discountAmount: affiliateDiscount },
  })
}

export function outcomeToProto({ redemption, rejection }: RedemptionOutcome) {
  return present({
    redemption: redemption && redemptionToProto(redemption),
    rejection: rejection && rejectionToProto[rejection],
  })
}

export function redemptionToProto(redemption: Redemption): MessageInitShape<typeof RedemptionSchema> {
  const { expiresAt, createdAt, state, ...rest } = redemption
  return {
    ...rest,
    state: stateToProto[state],
    expiresAt: timestampFromDate(expiresAt),
    createdAt: timestampFromDate(createdAt),
  }
}

const stateToProto = {
  reserved: ProtoState.RESERVED,
  confirmed: ProtoState.CONFIRMED,
  released: ProtoState.RELEASED,
  expired: ProtoState.RELEASED,
} as const satisfies Record<RedemptionState, ProtoState>

const rejectionToProto = {
  exhausted: ProtoRejection.EXHAUSTED,
  customer_limit: ProtoRejection.CUSTOMER_LIMIT,
  coupon_deleted: ProtoRejection.COUPON_DELETED,
  released: ProtoRejection.RELEASED,
  unknown: ProtoRejection.UNKNOWN,
} as const satisfies Record<Rejection, ProtoRejection>
