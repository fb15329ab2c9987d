import type { Violation } from '@storekeep/common/errors'
import { type Call, type Client, onBehalfOf } from '@storekeep/common/grpc'
import type { GameServersService } from '@storekeep/proto/delivery/v1/game_servers_service'
import { type StoreGameServer, unknownGameServers } from '../products/domain/product-references.ts'

/** The game servers of the caller's store. */
export function createGameServerDirectory(
  gameServers: Pick<Client<typeof GameServersService>, 'listGameServers'>,
): GameServerDirectory {
  const list: GameServerDirectory['list'] = async (call) => {
    const { gameServers: all } = await gameServers.listGameServers({}, onBehalfOf(call))
    return all.map(({ id, enabled }) => ({ id, enabled }))
  }
  return {
    list,
    async findUnknown(named, call) {
      if (named.length === 0) return []
      return unknownGameServers(named, await list(call))
    },
  }
}

export interface GameServerDirectory {
  /** All game servers of the store, at most 100. @throws ServiceFault `service-unavailable` */
  list(call: Call): Promise<StoreGameServer[]>
  /**
   * The violations of game servers that the store does not have. Makes no call if none is named.
   * @param named with their paths in the request
   * @throws ServiceFault `service-unavailable`
   */
  findUnknown(named: readonly { path: string; id: string }[], call: Call): Promise<Violation[]>
}
