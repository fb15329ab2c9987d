import { AffiliateLinkSchema } from '@storekeep/proto/coupons/v1/affiliate_link'
import {
  AffiliateLinkCreatedSchema,
  AffiliateLinkDeletedSchema,
  AffiliateLinkUpdatedSchema,
} from '@storekeep/proto/coupons/v1/events'
import { defineKind } from './kind.ts'

/** It has a code and no note. */
export const affiliateLinkKind = defineKind({
  type: 'affiliate_link',
  owner: 'coupons',
  schema: AffiliateLinkSchema,
  changes: [AffiliateLinkCreatedSchema, AffiliateLinkUpdatedSchema],
  deletions: [AffiliateLinkDeletedSchema],
  inEvent: 'affiliateLink',
  describe: ({ id, code }) => ({ texts: [code], ids: [id], hints: { code: [code] } }),
})
