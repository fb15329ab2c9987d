import type { MessageInitShape } from '@bufbuild/protobuf'
import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import type { Call, Handlers } from '@storekeep/common/grpc'
import { CouponDiscountType, CouponDuration, type CouponSchema } from '@storekeep/proto/coupons/v1/coupon'
import type { CouponsService } from '@storekeep/proto/coupons/v1/coupons_service'
import { newId } from './ids.ts'

/** The coupons service without its rules. */
export function couponsHandlers(): Handlers<typeof CouponsService> {
  const one = async (id: string, call: Call) => ({ coupon: couponMessage(id, call) })
  return {
    createCoupon: (_request, call) => one(newId(), call),
    getCoupon: ({ couponId }, call) => one(couponId, call),
    listCoupons: async (_request, call) => ({
      coupons: [couponMessage(newId(), call)],
      page: { hasNext: false, hasPrevious: false },
    }),
    updateCoupon: ({ couponId }, call) => one(couponId, call),
    deleteCoupon: async () => ({}),
  }
}

function couponMessage(id: string, { storeId = '', actor }: Call): MessageInitShape<typeof CouponSchema> {
  return {
    id,
    storeId,
    versionId: '7',
    enabled: true,
    code: 'SUMMER',
    duration: CouponDuration.ONCE,
    discountType: CouponDiscountType.PERCENT,
    discountAmount: 125n,
    usableOnOneTimePurchase: true,
    createdBy: actor,
    createdAt: timestampFromDate(new Date('2026-11-20T14:35:17.042Z')),
    version: 1n,
  }
}
