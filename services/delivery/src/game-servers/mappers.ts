import { create, type MessageInitShape } from '@bufbuild/protobuf'
import { actorFromText, present, timestampFromDate, timestampOrAbsent } from '@storekeep/common/message'
import type { GameServerSchema } from '@storekeep/proto/delivery/v1/game_server'
import {
  GameServerInputSchema,
  type LinkGameServerResponseSchema,
  type GameServerInput as ProtoInput,
} from '@storekeep/proto/delivery/v1/game_servers_service'
import type { GameServerRow } from './db/schema.ts'
import { type GameServerLink, type GameServerState, isOtherHost } from './domain/game-server.ts'

/** An absent input has no fields set. */
export function gameServerInputFromProto(input: ProtoInput = create(GameServerInputSchema)): GameServerState {
  return { name: input.name, enabled: input.enabled }
}

export function gameServerToProto(row: GameServerRow): MessageInitShape<typeof GameServerSchema> {
  const link = linkOf(row)
  return present({
    id: row.id,
    storeId: row.storeId,
    name: row.name,
    enabled: row.enabled,
    tokenResetAt: timestampOrAbsent(row.tokenResetAt),
    linkedTo:
      link &&
      present({
        ...link,
        savedAt: timestampFromDate(link.savedAt),
        lastFetchedCommandsAt: timestampOrAbsent(row.lastFetchedAt),
        lastFetchedCommandsFromIp: row.lastFetchedFromIp,
      }),
    createdBy: actorFromText(row.createdBy),
    createdAt: timestampFromDate(row.createdAt),
    updatedBy: row.updatedBy === null ? undefined : actorFromText(row.updatedBy),
    updatedAt: timestampOrAbsent(row.updatedAt),
    version: BigInt(row.version),
  })
}

/** The link of a row; undefined until a plugin has connected. */
export function linkOf(row: GameServerRow): (GameServerLink & { savedAt: Date }) | undefined {
  if (row.linkedAt === null) return undefined
  return {
    ip: row.linkIp ?? '',
    hostname: row.linkHostname ?? '',
    platform: row.linkPlatform ?? '',
    version: row.linkVersion ?? '',
    savedAt: row.linkedAt,
  }
}

/** @param before the server before it was linked; its link is in the response if it had another address or hostname */
export function linkedToProto(
  before: GameServerRow,
  row: GameServerRow,
  game: string,
): MessageInitShape<typeof LinkGameServerResponseSchema> {
  const [previous, link] = [linkOf(before), linkOf(row)]
  return {
    gameServer: gameServerToProto(row),
    storePlatform: game,
    ...(previous &&
      link &&
      isOtherHost(previous, link) && {
        previouslyLinked: {
          ip: previous.ip,
          hostname: previous.hostname,
          linkedAt: timestampFromDate(previous.savedAt),
        },
      }),
  }
}
