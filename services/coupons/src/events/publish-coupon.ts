import { type Cause, defineAggregate } from '@storekeep/common/events'
import type { Transaction } from '@storekeep/common/postgres'
import { CouponCreatedSchema } from '@storekeep/proto/coupons/v1/events'
import { couponToProto } from '../coupon-mappers.ts'
import type { CouponRow } from '../db/schema.ts'

const coupon = defineAggregate('coupons', 'coupon')

export async function publishCouponCreated(tx: Transaction, row: CouponRow, cause: Cause): Promise<void> {
  const message = { coupon: couponToProto(row) }
  await coupon.publish(tx, row, cause, { verb: 'created', schema: CouponCreatedSchema, message })
}
