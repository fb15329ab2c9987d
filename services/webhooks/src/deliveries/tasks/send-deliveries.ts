import { setTimeout as pause } from 'node:timers/promises'
import { isFault } from '@storekeep/common/errors'
import type { PeriodicTask } from '@storekeep/common/lifecycle'
import type { AppContext } from '../../context.ts'
import { hasDue } from '../db/claim-repository.ts'
import type { AttemptEnd } from '../db/result-repository.ts'
import { bounds } from '../domain/slots.ts'
import { claimDeliveries, type PreparedDelivery } from '../steps/claim-deliveries.ts'
import { brokenAttempt, makeAttempt } from '../steps/make-attempt.ts'
import { recordAttempts } from '../steps/record-attempts.ts'
import { releaseDeliveries } from '../steps/release-deliveries.ts'

/**
 * Sends due deliveries. Every replica runs it, and they share the work.
 *
 * A cycle records the attempts that have ended and claims due deliveries, in two transactions, whose locks it holds only
 * briefly; the requests are made outside of them. A cycle runs when a delivery is added or an attempt finishes (at most every
 * 10 ms); polling picks up retries and expired leases of killed replicas. A cycle also releases the deliveries whose attempts were
 * not started in time.
 *
 * Stopping starts no further attempt and waits for attempts in flight. After a while it aborts and releases them, so that another
 * replica repeats them.
 */
export function sendDeliveries(ctx: AppContext): PeriodicTask {
  const { database, deliverySignal: signal, log } = ctx
  const inFlight = new Map<PreparedDelivery, Promise<void>>()
  const abort = new AbortController()
  let ended: AttemptEnd[] = []
  let released: PreparedDelivery[] = []
  let stopping = false
  let running: Promise<void> | undefined

  async function loop(): Promise<void> {
    let failures = 0
    while (!stopping) {
      try {
        const startedAt = performance.now()
        const isBusy = await runCycle()
        failures = 0
        const isWoken = isBusy || (await signal.wait(pollMs))
        if (isWoken) await pause(Math.max(1, cycleMs - (performance.now() - startedAt)))
      } catch (error) {
        failures += 1
        if (failures % reportedEvery === 1) {
          log.warn({ err: error, count: failures }, 'webhook delivery cycle failed: retrying')
        }
        await signal.wait(Math.min(100 * 2 ** failures, 5000))
      }
    }
    await finish()
  }

  /** @returns whether more may be due */
  async function runCycle(): Promise<boolean> {
    await record()
    await release()
    const free = {
      all: bounds.perProcess,
      forFailing: bounds.failingPerProcess,
      inFlightByStore: new Map<string, number>(),
    }
    for (const { storeId, isFailing } of inFlight.keys()) {
      free.all -= 1
      if (isFailing) free.forFailing -= 1
      free.inFlightByStore.set(storeId, (free.inFlightByStore.get(storeId) ?? 0) + 1)
    }
    if (free.all === 0 || !(await hasDue(database))) return false
    const claimed = await claimDeliveries(ctx, free)
    for (const delivery of claimed.prepared) inFlight.set(delivery, attempt(delivery))
    for (const delivery of claimed.unreadable) ended.push(brokenAttempt(ctx, delivery))
    return claimed.prepared.length + claimed.unreadable.length > 0
  }

  async function attempt(delivery: PreparedDelivery): Promise<void> {
    const { id: delivery_id, storeId: store_id } = delivery
    try {
      const end = await makeAttempt(ctx, delivery, abort.signal)
      if (end) ended.push(end)
      else released.push(delivery)
    } catch (error) {
      ended.push(brokenAttempt(ctx, delivery))
      log.error({ err: error, store_id, delivery_id }, 'webhook attempt failed: internal error')
    }
    inFlight.delete(delivery)
    signal.wake()
  }

  /** While the database is unavailable, ended attempts wait for a later cycle. */
  async function record(): Promise<void> {
    const ends = ended
    if (ends.length === 0) return
    ended = []
    try {
      await recordAttempts(ctx, ends)
    } catch (error) {
      if (isFault(error, 'service-unavailable')) {
        ended = [...ends, ...ended]
        throw error
      }
      // An attempt that can never be recorded must not stop the others. Its lease expires, and it is repeated.
      for (const end of ends) await recordOne(end)
    }
  }

  async function recordOne(end: AttemptEnd): Promise<void> {
    try {
      await recordAttempts(ctx, [end])
    } catch (error) {
      if (isFault(error, 'service-unavailable')) ended.push(end)
      else reportLost(end, error)
    }
  }

  function reportLost({ deliveryId: delivery_id, storeId: store_id }: AttemptEnd, err: unknown): void {
    log.error({ err, store_id, delivery_id }, 'webhook attempt recording failed')
  }

  async function finish(): Promise<void> {
    const timer = setTimeout(() => abort.abort(), stopMs)
    await Promise.all(inFlight.values())
    clearTimeout(timer)
    await record().catch((error: unknown) => log.warn({ err: error }, 'webhook attempt recording failed'))
    await release().catch((error: unknown) => log.warn({ err: error }, 'webhook delivery release failed'))
  }

  async function release(): Promise<void> {
    const deliveries = released
    if (deliveries.length === 0) return
    released = []
    await releaseDeliveries(ctx, deliveries)
  }

  return {
    start() {
      running ??= loop()
    },
    async stop() {
      stopping = true
      signal.wake()
      await running
    },
  }
}

const pollMs = 500
const cycleMs = 10
/** A failure that repeats is logged about once a minute. */
const reportedEvery = 12
/** Less than the grace period of a process. */
const stopMs = 5000
