import type { RedisUrl } from '../config/index.ts'
import { createCluster } from './cluster.ts'
import { type Address, type Directory, onServer } from './locations.ts'
import { createSentinels } from './sentinels.ts'

/** Creates the directory of the servers of a REDIS_URL. */
export function createDirectory(url: RedisUrl): Directory {
  if (url.scheme.endsWith('+sentinel')) return createSentinels(url)
  if (url.scheme.endsWith('+cluster')) return createCluster(url)
  const address = url.hosts[0] as Address
  return { slotOf: () => 0, find: async () => onServer(address) }
}
