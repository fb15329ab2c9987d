import { exported } from '@storekeep/common/exports'
import { AffiliateLinkSchema } from '@storekeep/proto/coupons/v1/affiliate_link'
import { CouponSchema } from '@storekeep/proto/coupons/v1/coupon'
import sql from 'sql-template-tag'
import { affiliateLinkToProto } from './affiliate-link-mappers.ts'
import { couponToProto } from './coupon-mappers.ts'
import {
  type AffiliateLinkColumns,
  affiliateLinkColumns,
  affiliateLinkFromColumns,
} from './db/affiliate-link-schema.ts'
import { type CouponColumns, couponColumns, couponFromColumns } from './db/schema.ts'

/** Coupons and affiliate links for those who keep copies of them. */
export const exportedRecords = [
  exported({
    aggregate: 'coupon',
    source: sql`coupon`,
    columns: couponColumns,
    schema: CouponSchema,
    toMessage: (row: CouponColumns) => couponToProto(couponFromColumns(row)),
  }),
  exported({
    aggregate: 'affiliate_link',
    source: sql`affiliate_link`,
    columns: affiliateLinkColumns,
    schema: AffiliateLinkSchema,
    toMessage: (row: AffiliateLinkColumns) => affiliateLinkToProto(affiliateLinkFromColumns(row)),
  }),
]
