import { BoundedMap } from '../bounded-map.ts'
import type { Counter } from '../metrics.ts'
import type { Grant, Limit } from './limit.ts'
import { createLocalWindows } from './local-windows.ts'
import { addressGroup } from './peer-address.ts'

/**
 * Counts, per address of the caller, the credentials that somebody had to be asked about in vain. Anyone can make up
 * keys and tokens of the right form; from the quota on, those of this address are asked about no more for a while.
 * Counted in this process, since asking Redis would be the cost that this is to spare.
 */
export function createRefusals({ quota, limited, now }: RefusalOptions): Refusals {
  const windows = createLocalWindows({ now })
  const closed = new BoundedMap<string, number>(50_000)
  const limitOf = (address: string): Limit => ({ policy: 'refused', key: addressGroup(address), quota })

  return {
    closedFor(address) {
      const limit = limitOf(address)
      const opensInMs = (closed.get(limit.key) ?? 0) - now()
      if (opensInMs <= 0) return undefined
      limited.inc({ policy: limit.policy })
      return { limit, granted: false, remaining: 0, opensInMs }
    },
    count(address) {
      const limit = limitOf(address)
      const [grant] = windows.take([limit])
      if (grant?.remaining === 0) closed.set(limit.key, now() + grant.opensInMs)
    },
  }
}

export interface Refusals {
  /** Undefined while credentials from this address are asked about. */
  closedFor(address: string): Grant | undefined
  /** Notes a credential that was refused. */
  count(address: string): void
}

interface RefusalOptions {
  /** Per minute and address. */
  quota: number
  /** Counts the requests that were not looked at, by policy. */
  limited: Counter
  now: () => number
}
