import { timestampDate } from '@bufbuild/protobuf/wkt'
import { requireFlakeId } from '@storekeep/common/flake'
import { requireStore } from '@storekeep/common/grpc'
import { deliveryLimits } from '@storekeep/proto/conventions/limits'
import type { PlayerJoin } from '@storekeep/proto/delivery/v1/command_queue_service'
import type { AppContext, CommandQueueHandlers } from '../../context.ts'
import { type JoinRow, upsertJoins } from '../db/join-repository.ts'
import { findPlayers } from '../db/poll-repository.ts'
import { identityKeys, isEmpty, type PlayerLists, readIdentities } from '../domain/online-players.ts'
import { publishCustomerJoined } from '../events/publish.ts'

export function recordPlayerJoins(ctx: AppContext): CommandQueueHandlers['recordPlayerJoins'] {
  return async (request, call) => {
    const storeId = requireStore(call)
    const gameServerId = requireFlakeId('game_server_id', request.gameServerId)
    await ctx.tokenEpochs.requireCurrent({ storeId, gameServerId }, request.tokenEpoch)
    const now = ctx.clock.now()
    const given = request.joins.slice(0, deliveryLimits.joins)
    const customersOf = await findCustomersOf(ctx, storeId, given)
    // The last join of each customer.
    const joins = new Map<string, JoinRow>()
    for (const join of given) {
      const joinedAt = joinTime(join, now)
      for (const customerId of customersOf(join)) {
        const known = joins.get(customerId)
        if (known && known.joinedAt >= joinedAt) continue
        joins.set(customerId, { storeId, customerId, gameServerId, joinedAt, ipAddress: addressOf(join) })
      }
    }
    if (joins.size === 0) return {}
    await ctx.database.transaction(async (tx) => {
      for (const join of await upsertJoins(tx, [...joins.values()])) await publishCustomerJoined(tx, join, call)
    }, call)
    return {}
  }
}

/** Finds the customers of all joins with one statement. @returns the customers of each */
async function findCustomersOf(
  { database }: Pick<AppContext, 'database'>,
  storeId: string,
  joins: readonly PlayerJoin[],
): Promise<(join: PlayerJoin) => string[]> {
  const all = readIdentities({
    steamIds: joins.flatMap((join) => listsOf(join).steamIds),
    minecraftUuids: joins.flatMap((join) => listsOf(join).minecraftUuids),
    customerNames: joins.flatMap((join) => listsOf(join).customerNames),
  })
  const players = isEmpty(all) ? [] : await findPlayers(database, storeId, all)
  const customersWith = new Map<string, string[]>()
  for (const { customerId, identities } of players) {
    for (const key of identityKeys(identities)) customersWith.set(key, [...(customersWith.get(key) ?? []), customerId])
  }
  return (join) => identityKeys(readIdentities(listsOf(join))).flatMap((key) => customersWith.get(key) ?? [])
}

/** What identifies the player of a join: the Steam id and the UUID, and only without these the name, which anyone can have. */
function listsOf({ steamId, minecraftUuid, minecraftName }: PlayerJoin): PlayerLists {
  const hasId = Boolean(steamId ?? minecraftUuid)
  return {
    steamIds: steamId ? [steamId] : [],
    minecraftUuids: minecraftUuid ? [minecraftUuid] : [],
    customerNames: minecraftName && !hasId ? [minecraftName] : [],
  }
}

/** A server's clock may be wrong, but no join is in the future. */
function joinTime({ joinedAt }: PlayerJoin, now: Date): Date {
  const given = joinedAt ? timestampDate(joinedAt) : now
  return given > now ? now : given
}

function addressOf({ ipAddress }: PlayerJoin): string | null {
  if (!ipAddress || ipAddress.length > maxAddressLength || ipAddress.includes('\0')) return null
  return ipAddress
}

const maxAddressLength = 64
