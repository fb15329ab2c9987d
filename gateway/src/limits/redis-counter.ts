import { createHash } from 'node:crypto'
import { batchByTurn } from '@storekeep/common/batch'
import { BoundedMap, keyOf, type Limit, windowMs } from '@storekeep/common/http'
import { type Redis, sendBySlot, traceCommand } from '@storekeep/common/redis'
import { slidingWindowScript } from './sliding-window-script.ts'

/**
 * Counts requests in Redis, with one call for all requests of one turn of the event loop, or one per slot in a Cluster.
 * Requests that were granted without Redis are added with the next call.
 */
export function createRedisCounter({ redis, monotonicMs }: CounterDependencies): RedisCounter {
  const missed = createMissedCounts(monotonicMs)

  function send(starts: readonly StartCount[]): Promise<readonly (Counted | Promise<Counted>)[]> {
    const requests = starts.map((start) => start())
    return sendBySlot(requests, ({ limits: [limit] }) => (limit ? redis.slotOf(redisKeyOf(limit)) : 0), sendOfSlot)
  }

  async function sendOfSlot(requests: readonly CountRequest[]): Promise<readonly Counted[]> {
    const counters = new Map<string, Counter>()
    const requestArgs = requests.flatMap(({ limits, needed, spare, unspent }) => {
      const indexes = limits.map((limit) => counterOf(counters, limit, unspent).index)
      return [needed, spare, limits.length, ...indexes]
    })
    for (const [key, counter] of counters) counter.missed = missed.take(key)
    try {
      const all = [...counters.values()]
      const result = (await redis.run(
        slidingWindowScript,
        all.map(({ limit }) => redisKeyOf(limit)),
        [leaseMs, ...all.flatMap(counterArgs), ...requestArgs],
      )) as number[]
      return readResult(requests, result)
    } catch (error) {
      for (const [key, counter] of counters) missed.add(key, counter.missed)
      throw error
    }
  }

  const batched = batchByTurn(send, maxRequests)
  return {
    count: (start) => traceCommand('EVALSHA', () => batched(start)),
    addMissed: (limit) => missed.add(keyOf(limit), 1),
  }
}

/** How long a lease may be spent, from before it is requested. */
export const leaseMs = 200

export interface RedisCounter {
  /**
   * Counts a request.
   * @param start called when the batch is sent
   * @throws ServiceFault `service-unavailable` if Redis times out
   */
  count(start: StartCount): Promise<Counted>
  /** Adds a request that was granted without Redis. */
  addMissed(limit: Limit): void
}

export type StartCount = () => CountRequest

export interface CountRequest {
  /** The request counts in all of these or in none. Several limits share one group. */
  limits: readonly Limit[]
  /** How many requests it counts. More than one, or a lease, requires a single limit. */
  needed: number
  /** How many more to grant as a lease. */
  spare: number
  /** Unspent part of the last lease, which is returned. */
  unspent: UnspentLease
}

export interface UnspentLease {
  count: number
  slot: number
}

export interface Counted {
  /** How many requests were granted, with the lease. */
  granted: number
  /** One per limit. */
  counters: readonly CounterState[]
}

export interface CounterState {
  wasExhausted: boolean
  /** Requests in the window, including the granted ones. */
  used: number
  resetInMs: number
  leaseSlot: number
}

interface CounterDependencies {
  redis: Pick<Redis, 'run' | 'slotOf'>
  monotonicMs: () => number
}

interface Counter {
  index: number
  limit: Limit
  missed: number
  unspent: UnspentLease
}

/** Bounds how long one call occupies Redis. */
const maxRequests = 200

function counterOf(counters: Map<string, Counter>, limit: Limit, unspent: UnspentLease): Counter {
  const key = keyOf(limit)
  const known = counters.get(key)
  if (known) return known
  const counter = { index: counters.size + 1, limit, missed: 0, unspent }
  counters.set(key, counter)
  return counter
}

function counterArgs({ limit, missed, unspent }: Counter): number[] {
  return [limit.quota, windowMs, missed, unspent.count, unspent.slot]
}

function readResult(requests: readonly CountRequest[], result: readonly number[]): Counted[] {
  let position = 0
  const next = () => result[position++] ?? 0
  return requests.map(({ limits }) => {
    const granted = next()
    const counters = limits.map(() => ({
      wasExhausted: next() === 0,
      used: next(),
      resetInMs: next(),
      leaseSlot: next(),
    }))
    return { granted, counters }
  })
}

/** Requests granted without Redis, by limit, that still count in the current window. */
function createMissedCounts(monotonicMs: () => number) {
  const counts = new BoundedMap<string, { count: number; latest: number }>(50_000)
  function take(key: string): number {
    const known = counts.get(key)
    counts.delete(key)
    return known !== undefined && known.latest > monotonicMs() - windowMs ? known.count : 0
  }
  return {
    /** Returns the count and forgets it. */
    take,
    add(key: string, count: number): void {
      const sum = take(key) + count
      if (sum > 0) counts.set(key, { count: sum, latest: monotonicMs() })
    },
  }
}

/** Limits of one group are counted together, so their keys have the same hash slot in a Redis Cluster. */
function redisKeyOf({ group, policy, key }: Limit): string {
  return `limit:${group === undefined ? '' : `{${group}}:`}${policy}:${digest(key)}`
}

/** Keeps names and addresses of people out of Redis. */
function digest(key: string): string {
  return createHash('sha256').update(key).digest('base64url').slice(0, 22)
}
