import { type Cause, defineAggregate } from '@storekeep/common/events'
import type { Call } from '@storekeep/common/grpc'
import type { Transaction } from '@storekeep/common/postgres'
import {
  AffiliateLinkCreatedSchema,
  AffiliateLinkDeletedSchema,
  AffiliateLinkUpdatedSchema,
} from '@storekeep/proto/coupons/v1/events'
import type { AffiliateLinkRow } from '../db/schema.ts'
import { affiliateLinkToProto } from '../mappers.ts'

const affiliateLink = defineAggregate('coupons', 'affiliate_link')

export async function publishAffiliateLinkCreated(tx: Transaction, row: AffiliateLinkRow, cause: Cause): Promise<void> {
  const message = { affiliateLink: affiliateLinkToProto(row) }
  await affiliateLink.publish(tx, row, cause, { verb: 'created', schema: AffiliateLinkCreatedSchema, message })
}

export async function publishAffiliateLinkUpdated(tx: Transaction, row: AffiliateLinkRow, cause: Cause): Promise<void> {
  const message = { affiliateLink: affiliateLinkToProto(row) }
  await affiliateLink.publish(tx, row, cause, { verb: 'updated', schema: AffiliateLinkUpdatedSchema, message })
}

export async function publishAffiliateLinkDeleted(
  tx: Transaction,
  before: AffiliateLinkRow,
  call: Call,
): Promise<void> {
  const messageOf = (row: typeof before) => ({ affiliateLink: affiliateLinkToProto(row), deletedBy: call.actor })
  await affiliateLink.publishDeleted(tx, before, call, { schema: AffiliateLinkDeletedSchema, messageOf })
}
