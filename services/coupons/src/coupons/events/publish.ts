import { type Cause, defineAggregate } from '@storekeep/common/events'
import type { Call } from '@storekeep/common/grpc'
import type { Transaction } from '@storekeep/common/postgres'
import { CouponCreatedSchema, CouponDeletedSchema, CouponUpdatedSchema } from '@storekeep/proto/coupons/v1/events'
import type { CouponRow } from '../db/schema.ts'
import { couponToProto } from '../mappers.ts'

const coupon = defineAggregate('coupons', 'coupon')

export async function publishCouponCreated(tx: Transaction, row: CouponRow, cause: Cause): Promise<void> {
  const message = { coupon: couponToProto(row) }
  await coupon.publish(tx, row, cause, { verb: 'created', schema: CouponCreatedSchema, message })
}

export async function publishCouponUpdated(tx: Transaction, row: CouponRow, cause: Cause): Promise<void> {
  const message = { coupon: couponToProto(row) }
  await coupon.publish(tx, row, cause, { verb: 'updated', schema: CouponUpdatedSchema, message })
}

export async function publishCouponDeleted(tx: Transaction, before: CouponRow, call: Call): Promise<void> {
  const messageOf = (row: typeof before) => ({ coupon: couponToProto(row), deletedBy: call.actor })
  await coupon.publishDeleted(tx, before, call, { schema: CouponDeletedSchema, messageOf })
}
