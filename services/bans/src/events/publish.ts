import { type Cause, defineAggregate } from '@storekeep/common/events'
import type { Call } from '@storekeep/common/grpc'
import type { Transaction } from '@storekeep/common/postgres'
import { BanCreatedSchema, BanDeletedSchema, BanUpdatedSchema } from '@storekeep/proto/bans/v1/events'
import type { BanRow } from '../db/schema.ts'
import { banToProto } from '../mappers.ts'

const ban = defineAggregate('bans', 'ban')

export async function publishBanCreated(tx: Transaction, row: BanRow, now: Date, cause: Cause): Promise<void> {
  const message = { ban: banToProto(row, now) }
  await ban.publish(tx, row, cause, { verb: 'created', schema: BanCreatedSchema, message })
}

export async function publishBanUpdated(tx: Transaction, row: BanRow, now: Date, cause: Cause): Promise<void> {
  const message = { ban: banToProto(row, now) }
  await ban.publish(tx, row, cause, { verb: 'updated', schema: BanUpdatedSchema, message })
}

export async function publishBanDeleted(tx: Transaction, before: BanRow, now: Date, call: Call): Promise<void> {
  const messageOf = (row: typeof before) => ({ ban: banToProto(row, now), deletedBy: call.actor })
  await ban.publishDeleted(tx, before, call, { schema: BanDeletedSchema, messageOf })
}
