import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { errors, ServiceFault, type Violation } from '@storekeep/common/errors'
import { type Call, type CallOptions, type Client, onBehalfOf } from '@storekeep/common/grpc'
import { present } from '@storekeep/common/message'
import {
  RedemptionRefusal,
  type RedemptionsService,
  type ReserveCouponResponse,
} from '@storekeep/proto/coupons/v1/redemptions_service'
import { type CheckoutDraft, hasCodes } from '../sessions/domain/checkout-draft.ts'
import type { Discounts } from '../sessions/domain/discounts.ts'
import type { OrderLine } from '../sessions/domain/order.ts'
import type { PricedSession } from '../sessions/domain/price-session.ts'

/** The coupons and affiliate links of the caller's store. Every method throws `service-unavailable` if it must. */
export function createCouponRedemptions(redemptions: Client<typeof RedemptionsService>): CouponRedemptions {
  return {
    async validate(codes, call) {
      if (!hasCodes(codes)) return []
      try {
        await redemptions.reserveCoupon({ ...codesToProto(codes), validateOnly: true }, onBehalfOf(call))
        return []
      } catch (error) {
        if (error instanceof ServiceFault && error.code === 'validation-failed') return error.violations
        throw error
      }
    },
    async reserve({ draft, checkoutId, lines, priced, expiresAt }, call) {
      const request = {
        ...codesToProto(draft),
        checkoutId,
        lines: lines.map((line, index) => lineToProto(line, priced.lines[index]?.totalAmount ?? 0n)),
        expiresAt: timestampFromDate(new Date(expiresAt.getTime() + slackMs)),
      }
      try {
        return discountsFromProto(await redemptions.reserveCoupon(request, onBehalfOf(call)))
      } catch (error) {
        // The sweeper has released the reservation: it considered this call dead.
        if (error instanceof ServiceFault && error.code === 'conflict') throw errors.unavailable(error)
        throw error
      }
    },
    async confirm(checkoutId, call) {
      const { refusal } = await redemptions.confirmRedemption({ checkoutId }, onBehalfOf(call))
      return refusal === RedemptionRefusal.UNSPECIFIED
    },
    async release(checkoutId, options) {
      await redemptions.releaseRedemption({ checkoutId }, options)
    },
  }
}

export interface CouponRedemptions {
  /** Which codes cannot be used, apart from what depends on lines and limits. Makes no call without codes. */
  validate(codes: Codes, call: Call): Promise<readonly Violation[]>
  /**
   * Applies the codes of a priced order and reserves its coupon.
   * @throws ServiceFault `validation-failed` naming the codes that cannot be used; nothing is reserved then
   */
  reserve(order: OrderWithCodes, call: Call): Promise<Discounts>
  /** Makes the reservation of a checkout final. @returns false if it has none and cannot get one */
  confirm(checkoutId: string, call: Call): Promise<boolean>
  /** Releases the reservation of a checkout, which cannot reserve afterwards. */
  release(checkoutId: string, options: CallOptions): Promise<void>
}

/** An order with codes, at its prices before discounts. */
export interface OrderWithCodes {
  draft: CheckoutDraft
  storeId: string
  checkoutId: string
  lines: readonly OrderLine[]
  priced: PricedSession
  /** When the session expires. */
  expiresAt: Date
}

type Codes = Pick<CheckoutDraft, 'customerId' | 'couponId' | 'promoCodes' | 'affiliateCode'>

/** How long a reservation outlives its session, so that a session paid in its last moment still has it. */
const slackMs = 60_000

function codesToProto({ customerId, couponId, promoCodes, affiliateCode }: Codes) {
  return present({ customerId, couponId, promoCodes: [...promoCodes], affiliateCode })
}

function lineToProto({ productId, terms, draft }: OrderLine, amount: bigint) {
  return present({
    productId,
    tags: [...terms.tags],
    quantity: draft.quantity,
    amount,
    subscription: draft.subscription,
    isCouponsDisabled: terms.isCouponsDisabled,
    isAffiliateLinksDisabled: terms.isAffiliateLinksDisabled,
  })
}

function discountsFromProto({ coupon, affiliateLink }: ReserveCouponResponse): Discounts {
  return {
    coupon: coupon && { id: coupon.couponId, versionId: coupon.couponVersionId, lineDiscounts: coupon.lineDiscounts },
    affiliateLink: affiliateLink && { id: affiliateLink.affiliateLinkId, discountAmount: affiliateLink.discountAmount },
  }
}
