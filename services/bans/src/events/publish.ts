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

/** The last event of a ban. It has the version after the last change, so that no late update brings the ban back. */
export async function publishBanDeleted(tx: Transaction, before: BanRow, now: Date, call: Call): Promise<void> {
  const row = { ...before, version: String(BigInt(before.version) + 1n) }
  const message = { ban: banToProto(row, now), deletedBy: call.actor }
  await ban.publish(tx, row, call, { verb: 'deleted', schema: BanDeletedSchema, message })
}
