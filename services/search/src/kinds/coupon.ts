import { CouponSchema } from '@storekeep/proto/coupons/v1/coupon'
import { CouponCreatedSchema, CouponDeletedSchema, CouponUpdatedSchema } from '@storekeep/proto/coupons/v1/events'
import { given } from './given.ts'
import { defineKind } from './kind.ts'

export const couponKind = defineKind({
  type: 'coupon',
  owner: 'coupons',
  schema: CouponSchema,
  changes: [CouponCreatedSchema, CouponUpdatedSchema],
  deletions: [CouponDeletedSchema],
  inEvent: 'coupon',
  describe: ({ id, code, note, usableByCustomerId }) => ({
    texts: given(code, note),
    ids: [id],
    hints: { code: [code], customer_id: given(usableByCustomerId) },
  }),
})
