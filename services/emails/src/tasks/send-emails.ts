import { setTimeout as pause } from 'node:timers/promises'
import type { PeriodicTask } from '@storekeep/common/lifecycle'
import { maxConnections } from '../adapters/mailer.ts'
import type { AppContext } from '../context.ts'
import {
  type AttemptResult,
  type ClaimedEmail,
  claimDueEmails,
  recordAttempt,
  releaseEmails,
} from '../db/attempt-repository.ts'
import { publishEnd } from '../events/publish.ts'
import { brokenAttempt, makeAttempt } from '../steps/make-attempt.ts'

/**
 * Sends due emails. Every replica runs it, and they share the work: each claims as many as it has connections to the SMTP server,
 * with a lease, and makes the attempts outside of any transaction. It looks for due emails when one is added, and every half second.
 *
 * Stopping starts no further attempt and waits for those in flight. After a while it aborts and releases them, so that another replica
 * repeats them.
 */
export function sendEmails(ctx: AppContext): PeriodicTask {
  const { database, sender, emailSignal: signal, log } = ctx
  const inFlight = new Set<Promise<void>>()
  const abort = new AbortController()
  let stopping = false
  let running: Promise<void> | undefined

  async function loop(given: NonNullable<AppContext['sender']>): Promise<void> {
    let failures = 0
    while (!stopping) {
      try {
        const isBusy = await claim(given)
        failures = 0
        if (!isBusy) await signal.wait(pollMs)
      } catch (error) {
        failures += 1
        if (failures % reportedEvery === 1) log.warn({ err: error, count: failures }, 'email sending failed: retrying')
        await signal.wait(Math.min(100 * 2 ** failures, 5000))
      }
    }
    const timer = setTimeout(() => abort.abort(), stopMs)
    await Promise.all(inFlight)
    clearTimeout(timer)
  }

  /** @returns whether more may be due that can be claimed now */
  async function claim({ mailer, leaseMs }: NonNullable<AppContext['sender']>): Promise<boolean> {
    const free = maxConnections - inFlight.size
    if (free === 0) return false
    const claimed = await claimDueEmails(database, free, leaseMs)
    for (const email of claimed) {
      const attempt = send(email)
      inFlight.add(attempt)
      void attempt.finally(() => {
        inFlight.delete(attempt)
        signal.wake()
      })
    }
    return claimed.length === free && inFlight.size < maxConnections

    async function send(email: ClaimedEmail): Promise<void> {
      const result = await makeAttempt(ctx, mailer, email, abort.signal).catch((error: unknown) => {
        log.error(
          { err: error, store_id: email.storeId, aggregate_id: email.id },
          'email attempt failed: internal error',
        )
        return brokenAttempt(ctx, email)
      })
      await (result ? record(email, result, leaseMs) : release(email))
    }
  }

  /** Repeated while the database is unavailable and the lease lasts: the email was sent, and should not be sent twice. */
  async function record(email: ClaimedEmail, result: AttemptResult, leaseMs: number): Promise<void> {
    const endMs = ctx.clock.monotonicMs() + leaseMs
    for (let delayMs = 100; ; delayMs = Math.min(2 * delayMs, 2000)) {
      try {
        return await database.transaction(async (tx) => {
          const row = await recordAttempt(tx, email, result, ctx.clock.now())
          if (row) await publishEnd(tx, row, email.traceparent ?? undefined)
        })
      } catch (error) {
        if (abort.signal.aborted || ctx.clock.monotonicMs() > endMs) {
          const fields = { store_id: email.storeId, aggregate_id: email.id }
          log.error({ err: error, ...fields }, 'email result not stored: the email will be sent again')
          return
        }
      }
      await pause(delayMs)
    }
  }

  async function release(email: ClaimedEmail): Promise<void> {
    await releaseEmails(database, [email]).catch((error: unknown) => log.warn({ err: error }, 'email release failed'))
  }

  return {
    start() {
      if (sender) running ??= loop(sender)
    },
    async stop() {
      stopping = true
      signal.wake()
      await running
    },
  }
}

const pollMs = 500
/** A failure that repeats is logged about once a minute. */
const reportedEvery = 12
/** Less than the grace period of a process. */
const stopMs = 5000
