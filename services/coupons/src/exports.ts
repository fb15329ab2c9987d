import { exported } from '@storekeep/common/exports'
import { AffiliateLinkSchema } from '@storekeep/proto/coupons/v1/affiliate_link'
import { CouponSchema } from '@storekeep/proto/coupons/v1/coupon'
import sql from 'sql-template-tag'
import {
  type AffiliateLinkColumns,
  affiliateLinkColumns,
  affiliateLinkFromColumns,
} from './affiliate-links/db/schema.ts'
import { affiliateLinkToProto } from './affiliate-links/mappers.ts'
import { type CouponColumns, couponColumns, couponFromColumns } from './coupons/db/schema.ts'
import { couponToProto } from './coupons/mappers.ts'

/** Coupons and affiliate links for services that keep copies of them. */
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
