import { type Cause, defineAggregate } from '@storekeep/common/events'
import type { Call } from '@storekeep/common/grpc'
import type { Transaction } from '@storekeep/common/postgres'
import { TagCreatedSchema, TagDeletedSchema, TagUpdatedSchema } from '@storekeep/proto/checkout/v1/events'
import type { TagRow } from '../db/tag-repository.ts'
import { tagToProto } from '../mappers.ts'

const tag = defineAggregate('checkout', 'tag')

export async function publishTagCreated(tx: Transaction, row: TagRow, cause: Cause): Promise<void> {
  await tag.publish(tx, row, cause, { verb: 'created', schema: TagCreatedSchema, message: { tag: tagToProto(row) } })
}

export async function publishTagUpdated(tx: Transaction, row: TagRow, cause: Cause): Promise<void> {
  await tag.publish(tx, row, cause, { verb: 'updated', schema: TagUpdatedSchema, message: { tag: tagToProto(row) } })
}

export async function publishTagDeleted(tx: Transaction, before: TagRow, call: Call): Promise<void> {
  const messageOf = (row: typeof before) => ({ tag: tagToProto(row), deletedBy: call.actor })
  await tag.publishDeleted(tx, before, call, { schema: TagDeletedSchema, messageOf })
}
