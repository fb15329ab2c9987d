import type { ServerUrl } from '../config/index.ts'
import { queryOnce } from './connect.ts'
import { type Address, type Directory, onServer } from './locations.ts'

/**
 * Finds the master through Redis Sentinel. All sentinels are queried concurrently, and the latest failover that any of them knows
 * wins: a sentinel that is cut off from the others names a former master.
 */
export function createSentinels({ scheme, hosts, parameters }: ServerUrl): Directory {
  const { master = '', 'sentinel-user': user, 'sentinel-password': password } = parameters
  const login = { scheme, user, password, path: '' }

  async function querySentinel(sentinel: Address): Promise<Master> {
    return readMaster(await queryOnce(sentinel, login, (client) => client.sendCommand(['SENTINEL', 'MASTER', master])))
  }

  return {
    slotOf: () => 0,
    async find() {
      const results = await Promise.allSettled(hosts.map(querySentinel))
      const known = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
      const [latest] = known.sort((one, other) => other.epoch - one.epoch)
      if (latest) return onServer(latest)
      const reasons = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []))
      throw new AggregateError(reasons, 'no sentinel knows the master')
    },
  }
}

interface Master extends Address {
  /** Increases with each failover. */
  epoch: number
}

function readMaster(reply: unknown): Master {
  const fields = new Map(Object.entries(reply ?? {}))
  const [host, port, epoch] = [fields.get('ip'), Number(fields.get('port')), Number(fields.get('config-epoch'))]
  if (typeof host !== 'string' || !(port > 0)) throw new Error('a sentinel named no master')
  return { host, port, epoch }
}
