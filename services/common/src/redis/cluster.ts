import type { ServerUrl } from '../config/index.ts'
import { queryOnce, type RedisClient } from './connect.ts'
import { type Address, type Directory, type Locations, nameOf } from './locations.ts'
import { slotCount, slotOf } from './slot.ts'

/**
 * Finds the owners of the slots of a Redis Cluster. The known nodes and the nodes of the URL are queried in turn. A node
 * that considers the Cluster to be down is skipped: it may be cut off from the others and name former owners.
 */
export function createCluster(url: ServerUrl): Directory {
  let nodes: readonly Address[] = url.hosts
  let next = 0

  async function queryNode(node: Address): Promise<Locations> {
    return await queryOnce(node, url, async (client) => {
      const [state, slots] = await Promise.all([client.clusterInfo(), client.clusterSlots()])
      if (!state.includes('cluster_state:ok')) throw new Error('the Cluster is down')
      return readSlots(slots, node)
    })
  }

  return {
    slotOf,
    async find() {
      const failures: unknown[] = []
      for (let count = 0; count < nodes.length; count++) {
        const node = nodes[next++ % nodes.length] as Address
        try {
          const found = await queryNode(node)
          const known = [...found.servers, ...url.hosts]
          nodes = [...new Map(known.map((one) => [nameOf(one), one])).values()]
          return found
        } catch (error) {
          failures.push(error)
        }
      }
      throw new AggregateError(failures, 'no node of the Cluster responds')
    },
  }
}

/** @param queried the node whose own address may be missing in its reply */
function readSlots(ranges: Awaited<ReturnType<RedisClient['clusterSlots']>>, queried: Address): Locations {
  const servers = new Map<string, Address>()
  const owners = new Array<Address | undefined>(slotCount)
  for (const { from, to, master } of ranges) {
    const address = { host: master.host || queried.host, port: master.port }
    const owner = servers.get(nameOf(address)) ?? address
    servers.set(nameOf(owner), owner)
    owners.fill(owner, from, to + 1)
  }
  return { servers: [...servers.values()], ownerOf: (slot) => owners[slot] }
}
