import { AmountType, RefererType } from '@storekeep/proto/coupons/v1/affiliate_link'
import { z } from 'zod'
import { namesOf } from '../schemas/enums.ts'
import { int32, int64 } from '../schemas/fields.ts'
import { sameSchemaAs } from '../schemas/same-schema-as.ts'

/** Types that a new link can have. */
export const refererTypeValues = {
  first_referer: RefererType.FIRST_REFERER,
  last_referer: RefererType.LAST_REFERER,
} as const satisfies Record<string, RefererType>

export const refererType = z.enum([...namesOf(refererTypeValues), 'invalid']).meta({
  id: 'RefererTypeDto',
  description: '`first_referer` or `last_referer`. `invalid` is rejected and never returned.',
})

/** Documented as the type of a link that was read, so that clients can write it back. */
export const newRefererType = z
  .enum(namesOf(refererTypeValues))
  .meta({ override: sameSchemaAs('RefererTypeDto', ['description']) })

export const amountTypeValues = {
  none: AmountType.NONE,
  fixed: AmountType.FIXED,
  percentage: AmountType.PERCENTAGE,
} as const satisfies Record<string, AmountType>

export const amountType = z.enum(namesOf(amountTypeValues)).meta({
  id: 'AffiliateAmountTypeDto',
  description: 'Whether an amount is in minor units (`fixed`), in per mille (`percentage`), or not used (`none`).',
})

export const commissionStep = z
  .object({
    billing_cycle_sequence: int32(1).describe('Billing cycle, counted from 1; unique among the steps.'),
    commission_amount: int64(0).describe('Commission for this billing cycle, of the same type as `commission_amount`.'),
  })
  .meta({ id: 'CommissionAmountStepDto', description: 'Commission for one billing cycle of a subscription.' })
