import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { errors, isFault, type Violation } from '@storekeep/common/errors'
import { type Call, type CallOptions, type Client, onBehalfOf } from '@storekeep/common/grpc'
import { present } from '@storekeep/common/message'
import { CouponDuration as ProtoDuration } from '@storekeep/proto/coupons/v1/coupon'
import {
  RedemptionRejection,
  type RedemptionsService,
  type ReserveCouponResponse,
  type ReservedCoupon,
} from '@storekeep/proto/coupons/v1/redemptions_service'
import { type CheckoutDraft, hasCodes } from '../sessions/domain/checkout-draft.ts'
import type { DiscountableLine } from '../sessions/domain/discountable-lines.ts'
import type { CouponDuration, Discounts } from '../sessions/domain/discounts.ts'

/** The coupons and affiliate links of the caller's store. Every method throws `service-unavailable` if coupons is unavailable. */
export function createCouponRedemptions(redemptions: Client<typeof RedemptionsService>): CouponRedemptions {
  return {
    async validate(codes, call) {
      if (!hasCodes(codes)) return []
      try {
        await redemptions.reserveCoupon({ ...codesToProto(codes), validateOnly: true }, onBehalfOf(call))
        return []
      } catch (error) {
        if (isFault(error, 'validation-failed')) return error.violations
        throw error
      }
    },
    async reserve({ codes, checkoutId, lines, expiresAt, replaced, affiliateLinkId }, call) {
      const request = {
        ...codesToProto(codes),
        checkoutId,
        lines: lines.map(present),
        expiresAt: timestampFromDate(new Date(expiresAt.getTime() + slackMs)),
        ...present({ replacedCheckoutId: replaced, affiliateLinkId }),
      }
      try {
        return discountsFromProto(await redemptions.reserveCoupon(request, onBehalfOf(call)))
      } catch (error) {
        // The sweep has released the reservation: it considered this call dead.
        if (isFault(error, 'conflict')) throw errors.unavailable(error)
        throw error
      }
    },
    async confirm(checkoutId, call) {
      const { rejection } = await redemptions.confirmRedemption({ checkoutId }, onBehalfOf(call))
      return rejection === RedemptionRejection.UNSPECIFIED
    },
    async release(checkoutId, options) {
      await redemptions.releaseRedemption({ checkoutId }, options)
    },
  }
}

export interface CouponRedemptions {
  /** Which codes cannot be used, apart from checks of lines and limits. Makes no call without codes. */
  validate(codes: Codes, call: Call): Promise<readonly Violation[]>
  /**
   * Applies the codes of a priced order and reserves its coupon.
   * @throws ServiceFault `validation-failed` naming the codes that cannot be used; nothing is reserved then
   */
  reserve(order: OrderWithCodes, call: Call): Promise<Discounts>
  /** Makes a reservation final. @returns false if there is none and the limits allow no new one */
  confirm(checkoutId: string, call: Call): Promise<boolean>
  /** Releases a reservation. Its id cannot reserve afterwards. */
  release(checkoutId: string, options: CallOptions): Promise<void>
}

/** An order at its prices before discounts, and its codes. */
export interface OrderWithCodes {
  codes: Codes
  storeId: string
  /** The id of the redemption. */
  checkoutId: string
  lines: readonly DiscountableLine[]
  /** When the session expires. */
  expiresAt: Date
  /** The redemption that is released afterwards. */
  replaced?: string | undefined
  /** A link that is already applied. */
  affiliateLinkId?: string | null
}

export type Codes = Pick<CheckoutDraft, 'customerId' | 'couponId' | 'promoCodes' | 'affiliateCode'>

/** How long a reservation outlives its session, so that a session paid in its last moment still has it. */
const slackMs = 60_000

function codesToProto({ customerId, couponId, promoCodes, affiliateCode }: Codes) {
  return present({ customerId, couponId, promoCodes: [...promoCodes], affiliateCode })
}

function discountsFromProto({ coupon, affiliateLink }: ReserveCouponResponse): Discounts {
  return {
    coupon: coupon && {
      id: coupon.couponId,
      versionId: coupon.couponVersionId,
      code: coupon.code,
      lineDiscounts: coupon.lineDiscounts,
      duration: durationFromProto(coupon),
    },
    affiliateLink: affiliateLink && { id: affiliateLink.affiliateLinkId, discountAmount: affiliateLink.discountAmount },
  }
}

function durationFromProto({ duration, durationInMonths, durationInIntervals }: ReservedCoupon): CouponDuration {
  switch (duration) {
    case ProtoDuration.ONCE:
      return { kind: 'once' }
    case ProtoDuration.FOREVER:
      return { kind: 'forever' }
    case ProtoDuration.REPEATING:
      return { kind: 'repeating', months: durationInMonths ?? null, intervals: durationInIntervals ?? null }
    default:
      throw new Error(`coupon with unknown duration ${duration}`)
  }
}
