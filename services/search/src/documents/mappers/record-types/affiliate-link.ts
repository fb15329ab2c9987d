import { AffiliateLinkSchema } from '@storekeep/proto/coupons/v1/affiliate_link'
import {
  AffiliateLinkCreatedSchema,
  AffiliateLinkDeletedSchema,
  AffiliateLinkUpdatedSchema,
} from '@storekeep/proto/coupons/v1/events'
import { defineRecordType } from './record-type.ts'

export const affiliateLinkType = defineRecordType({
  type: 'affiliate_link',
  owner: 'coupons',
  schema: AffiliateLinkSchema,
  changes: [AffiliateLinkCreatedSchema, AffiliateLinkUpdatedSchema],
  deletions: [AffiliateLinkDeletedSchema],
  eventField: 'affiliateLink',
  describe: ({ id, code }) => ({ texts: [code], ids: [id], hints: { code: [code] } }),
})
