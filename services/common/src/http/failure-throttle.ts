import { hash } from 'node:crypto'
import type { Counter } from '../telemetry/index.ts'
import { BoundedMap } from './bounded-map.ts'
import type { Limit } from './limit.ts'
import { createLocalWindows } from './local-windows.ts'
import { addressGroup } from './peer-address.ts'
import { rateLimited } from './rate-limited.ts'

/**
 * Limits failed lookups of one kind per client address: of API keys, customer tokens or stores. Anyone can generate
 * well-formed ones, and each costs a call to a service; an address that exceeds the quota is blocked before that
 * call. Counts in this process, because a Redis call per attempt would cost what the throttle is meant to save.
 *
 * Subjects that were found within the last 15 minutes are exempt. A shop's server relays all of its visitors from one
 * address, and one of them must not be able to block its API key or the tokens of the others.
 */
export function createFailureThrottle({ policy, quota, limited, monotonicMs }: ThrottleOptions): FailureThrottle {
  const windows = createLocalWindows({ monotonicMs })
  const blockedUntil = new BoundedMap<string, number>(50_000)
  const exemptUntil = new BoundedMap<string, number>(50_000)
  const limitOf = (address: string): Limit => ({ policy, key: addressGroup(address), quota })

  return {
    assertAllowed(address, subject) {
      const limit = limitOf(address)
      const resetInMs = (blockedUntil.get(limit.key) ?? 0) - monotonicMs()
      if (resetInMs <= 0 || (exemptUntil.get(digest(subject)) ?? 0) > monotonicMs()) return
      limited.inc({ policy })
      const rejected = { limit, granted: false, remaining: 0, resetInMs }
      throw rateLimited(rejected, [rejected])
    },
    recordSuccess(subject) {
      exemptUntil.set(digest(subject), monotonicMs() + exemptMs)
    },
    recordFailure(address, subject) {
      exemptUntil.delete(digest(subject))
      const limit = limitOf(address)
      const [grant] = windows.take([limit])
      if (grant?.remaining === 0) blockedUntil.set(limit.key, monotonicMs() + grant.resetInMs)
    },
  }
}

export interface FailureThrottle {
  /**
   * Call before the service is called.
   * @param subject what is looked up; a secret is kept only as a digest
   * @throws RateLimited when the address had too many failures, unless the subject is exempt
   */
  assertAllowed(address: string, subject: string): void
  /** Exempts the subject for 15 minutes. */
  recordSuccess(subject: string): void
  /** Counts one failed lookup, and ends the exemption of the subject. */
  recordFailure(address: string, subject: string): void
}

interface ThrottleOptions {
  /** Appears in the rate-limit headers and as a metric label. */
  policy: string
  /** Failures per minute and address. */
  quota: number
  /** Counts the blocked requests, by policy. */
  limited: Counter
  monotonicMs: () => number
}

const exemptMs = 15 * 60_000

function digest(subject: string): string {
  return hash('sha256', subject, 'base64url').slice(0, 22)
}
