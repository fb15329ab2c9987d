import { type Cause, defineAggregate } from '@storekeep/common/events'
import type { Call } from '@storekeep/common/grpc'
import type { Transaction } from '@storekeep/common/postgres'
import {
  GameServerCreatedSchema,
  GameServerDeletedSchema,
  GameServerLinkedSchema,
  GameServerUpdatedSchema,
} from '@storekeep/proto/delivery/v1/events'
import type { GameServerRow } from '../db/schema.ts'
import { gameServerToProto } from '../mappers.ts'

const gameServer = defineAggregate('delivery', 'game_server')

export async function publishGameServerCreated(tx: Transaction, row: GameServerRow, cause: Cause): Promise<void> {
  const message = { gameServer: gameServerToProto(row) }
  await gameServer.publish(tx, row, cause, { verb: 'created', schema: GameServerCreatedSchema, message })
}

export async function publishGameServerUpdated(tx: Transaction, row: GameServerRow, cause: Cause): Promise<void> {
  const message = { gameServer: gameServerToProto(row) }
  await gameServer.publish(tx, row, cause, { verb: 'updated', schema: GameServerUpdatedSchema, message })
}

export async function publishGameServerLinked(tx: Transaction, row: GameServerRow, cause: Cause): Promise<void> {
  const message = { gameServer: gameServerToProto(row) }
  await gameServer.publish(tx, row, cause, { verb: 'linked', schema: GameServerLinkedSchema, message })
}

export async function publishGameServerDeleted(tx: Transaction, before: GameServerRow, call: Call): Promise<void> {
  const messageOf = (row: GameServerRow) => ({ gameServer: gameServerToProto(row), deletedBy: call.actor })
  await gameServer.publishDeleted(tx, before, call, { schema: GameServerDeletedSchema, messageOf })
}
