import { timestampDate } from '@bufbuild/protobuf/wkt'
import { requireFlakeId } from '@storekeep/common/flake'
import { requireStore } from '@storekeep/common/grpc'
import { deliveryLimits } from '@storekeep/proto/conventions/limits'
import type { PlayerJoin } from '@storekeep/proto/delivery/v1/command_queue_service'
import type { AppContext, CommandQueueHandlers } from '../../context.ts'
import { type JoinRow, upsertJoins } from '../db/join-repository.ts'
import { findCustomers } from '../db/poll-repository.ts'
import { isEmpty, readIdentities } from '../domain/online-players.ts'
import { publishCustomerJoined } from '../events/publish.ts'

export function recordPlayerJoins(ctx: AppContext): CommandQueueHandlers['recordPlayerJoins'] {
  return async (request, call) => {
    const storeId = requireStore(call)
    const gameServerId = requireFlakeId('game_server_id', request.gameServerId)
    await ctx.tokenEpochs.requireCurrent({ storeId, gameServerId }, request.tokenEpoch)
    const now = ctx.clock.now()
    // The last join of each customer.
    const joins = new Map<string, JoinRow>()
    for (const join of request.joins.slice(0, deliveryLimits.joins)) {
      const joinedAt = joinTime(join, now)
      for (const customerId of await customersOf(ctx, storeId, join)) {
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

/** The customers that a join identifies: by the Steam id or UUID, and only without these by the name, which anyone can have. */
async function customersOf(ctx: AppContext, storeId: string, join: PlayerJoin): Promise<string[]> {
  const { steamId, minecraftUuid, minecraftName } = join
  const hasId = Boolean(steamId ?? minecraftUuid)
  const identities = readIdentities({
    steamIds: steamId ? [steamId] : [],
    minecraftUuids: minecraftUuid ? [minecraftUuid] : [],
    customerNames: minecraftName && !hasId ? [minecraftName] : [],
  })
  return isEmpty(identities) ? [] : await findCustomers(ctx.database, storeId, identities)
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
