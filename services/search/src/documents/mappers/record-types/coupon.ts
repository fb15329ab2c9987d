import { CouponSchema } from '@storekeep/proto/coupons/v1/coupon'
import { CouponCreatedSchema, CouponDeletedSchema, CouponUpdatedSchema } from '@storekeep/proto/coupons/v1/events'
import { nonEmpty } from './non-empty.ts'
import { defineRecordType } from './record-type.ts'

export const couponType = defineRecordType({
  type: 'coupon',
  owner: 'coupons',
  schema: CouponSchema,
  changes: [CouponCreatedSchema, CouponUpdatedSchema],
  deletions: [CouponDeletedSchema],
  eventField: 'coupon',
  describe: ({ id, code, note, usableByCustomerId }) => ({
    texts: nonEmpty(code, note),
    ids: [id],
    hints: { code: [code], customer_id: nonEmpty(usableByCustomerId) },
  }),
})
