import type { ServerUrl } from '../config/index.ts'
import { ask } from './connect.ts'
import { type Address, type Directory, onServer } from './locations.ts'

/**
 * Finds the master through Redis Sentinel. All sentinels are queried at once, and the latest failover that any of them knows
 * wins: a sentinel that is cut off from the others names a former master.
 */
export function createSentinels({ scheme, hosts, parameters }: ServerUrl): Directory {
  const { master = '', 'sentinel-user': user, 'sentinel-password': password } = parameters
  const login = { scheme, user, password, path: '' }

  async function askOne(sentinel: Address): Promise<Master> {
    return readMaster(await ask(sentinel, login, (client) => client.sendCommand(['SENTINEL', 'MASTER', master])))
  }

  return {
    slotOf: () => 0,
    async find() {
      const answers = await Promise.allSettled(hosts.map(askOne))
      const known = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []))
      const [latest] = known.sort((one, other) => other.epoch - one.epoch)
      if (latest) return onServer(latest)
      throw new AggregateError(
        answers.map((answer) => answer.status === 'rejected' && answer.reason),
        'no sentinel knows the master',
      )
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
