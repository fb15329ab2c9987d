import { BoundedMap } from '../bounded-map.ts'
import type { Counter } from '../metrics.ts'
import type { Grant, Limit } from './limit.ts'
import { createLocalWindows } from './local-windows.ts'
import { addressGroup } from './peer-address.ts'

/**
 * Limits failed authentication per client address. Anyone can generate well-formed keys and tokens, and each of them
 * costs a call to a service; an address that exceeds the quota is blocked before that call. Counts in this process,
 * because a Redis call per attempt would cost what the throttle is meant to save.
 */
export function createFailedAuthThrottle({ quota, limited, monotonicMs }: ThrottleOptions): FailedAuthThrottle {
  const windows = createLocalWindows({ monotonicMs })
  const blockedUntil = new BoundedMap<string, number>(50_000)
  const limitOf = (address: string): Limit => ({ policy: 'failed-auth', key: addressGroup(address), quota })

  return {
    blockedFor(address) {
      const limit = limitOf(address)
      const resetInMs = (blockedUntil.get(limit.key) ?? 0) - monotonicMs()
      if (resetInMs <= 0) return undefined
      limited.inc({ policy: limit.policy })
      return { limit, granted: false, remaining: 0, resetInMs }
    },
    recordFailure(address) {
      const limit = limitOf(address)
      const [grant] = windows.take([limit])
      if (grant?.remaining === 0) blockedUntil.set(limit.key, monotonicMs() + grant.resetInMs)
    },
  }
}

export interface FailedAuthThrottle {
  /** The exhausted limit of this address; undefined while the address may authenticate. */
  blockedFor(address: string): Grant | undefined
  /** Counts one rejected credential. */
  recordFailure(address: string): void
}

interface ThrottleOptions {
  /** Rejected credentials per minute and address. */
  quota: number
  /** Counts the blocked requests, by policy. */
  limited: Counter
  monotonicMs: () => number
}
