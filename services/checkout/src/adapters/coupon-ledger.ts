import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { type Call, type CallOptions, type Client, onBehalfOf } from '@storekeep/common/grpc'
import { type CouponsService, RedemptionRefusal } from '@storekeep/proto/coupons/v1/coupons_service'
import type { CheckoutDraft } from '../sessions/domain/checkout-draft.ts'
import type { Codes } from '../sessions/domain/codes.ts'
import { affiliateFromProto, couponFromProto } from '../sessions/mappers-codes.ts'

/** The coupons of the store that calls, and their slots. Every method throws `service-unavailable` when it must. */
export function createCouponLedger(coupons: UsedRpcs): CouponLedger {
  return {
    async resolve({ couponId, promoCodes, affiliateCode }, call) {
      const typed = affiliateCode === undefined ? promoCodes : [...promoCodes, affiliateCode]
      if (typed.length === 0 && couponId === undefined) return { promo: [], affiliate: undefined }
      const request = { codes: [...typed], ...(couponId !== undefined && { couponId }) }
      const { codes, coupon } = await coupons.resolveCodes(request, onBehalfOf(call))
      const meanings = typed.map((_, index) => ({
        coupon: codes[index]?.coupon && couponFromProto(codes[index].coupon),
        affiliate: codes[index]?.affiliateLink && affiliateFromProto(codes[index].affiliateLink),
      }))
      return {
        ...(couponId !== undefined && { named: { coupon: coupon && couponFromProto(coupon) } }),
        promo: meanings.slice(0, promoCodes.length),
        affiliate: meanings[promoCodes.length]?.affiliate,
      }
    },
    async reserve({ couponId, couponVersionId, customerId, checkoutId, expiresAt }, call) {
      const request = { couponId, couponVersionId, customerId, checkoutId, expiresAt: timestampFromDate(expiresAt) }
      const { refusal } = await coupons.reserveRedemption(request, onBehalfOf(call))
      return refusalFromProto(refusal)
    },
    async confirm(checkoutId, call) {
      const { refusal } = await coupons.confirmRedemption({ checkoutId }, onBehalfOf(call))
      return refusal === RedemptionRefusal.UNSPECIFIED
    },
    async release(checkoutId, options) {
      await coupons.releaseRedemption({ checkoutId }, options)
    },
  }
}

export interface CouponLedger {
  /** What the codes of an order mean. */
  resolve(draft: Pick<CheckoutDraft, 'couponId' | 'promoCodes' | 'affiliateCode'>, call: Call): Promise<Codes>
  /** Takes a slot for a checkout, or tells why there is none. */
  reserve(slot: Slot, call: Call): Promise<Refusal | undefined>
  /** Makes the checkout's slot final. @returns false when it has none and gets none */
  confirm(checkoutId: string, call: Call): Promise<boolean>
  /** Gives the checkout's slot back; one that it has not taken yet it will not get any more. */
  release(checkoutId: string, options: CallOptions): Promise<void>
}

export interface Slot {
  couponId: string
  couponVersionId: string
  customerId: string
  checkoutId: string
  /** When it falls away by itself. */
  expiresAt: Date
}

/** `changed`: the coupon is not what the order was priced with. `over`: the checkout gave its slot back before. */
export type Refusal = 'exhausted' | 'customer-limit' | 'changed' | 'over'

type UsedRpcs = Pick<
  Client<typeof CouponsService>,
  'resolveCodes' | 'reserveRedemption' | 'confirmRedemption' | 'releaseRedemption'
>

function refusalFromProto(refusal: RedemptionRefusal): Refusal | undefined {
  switch (refusal) {
    case RedemptionRefusal.UNSPECIFIED:
      return undefined
    case RedemptionRefusal.EXHAUSTED:
      return 'exhausted'
    case RedemptionRefusal.CUSTOMER_LIMIT:
      return 'customer-limit'
    case RedemptionRefusal.CHANGED:
      return 'changed'
    default:
      return 'over'
  }
}
