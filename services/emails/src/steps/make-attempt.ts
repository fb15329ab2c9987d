import { randomUUID } from 'node:crypto'
import { internalActor } from '@storekeep/common/grpc'
import {
  attributes,
  endWith,
  formatTraceparent,
  recordedParent,
  startSpan,
  unrecordedContext,
  withSpan,
} from '@storekeep/common/telemetry'
import { composeEmail } from '../adapters/formats/compose-email.ts'
import type { Mailer } from '../adapters/mailer.ts'
import type { AppContext } from '../context.ts'
import type { AttemptResult, ClaimedEmail } from '../db/attempt-repository.ts'
import { sealRecipient } from '../db/recipient-repository.ts'
import { nextStep, type Outcome } from '../domain/next-step.ts'
import { type Found, loadFacts } from './load-facts.ts'

/**
 * Makes one attempt of an email: reads what it is about, writes it, and hands it to the SMTP server.
 *
 * If this process is killed after the server has accepted the email and before the result is stored, another attempt follows: the
 * customer receives the email at least once, and every copy has the same Message-ID.
 *
 * @returns undefined if it was aborted by `signal`, which leaves the outcome unknown
 */
export async function makeAttempt(
  ctx: AppContext,
  mailer: Mailer,
  email: ClaimedEmail,
  signal: AbortSignal,
): Promise<AttemptResult | undefined> {
  const startedMs = ctx.clock.monotonicMs()
  const { outcome, found } = await traced(email, (traceparent) => attempt(ctx, mailer, email, { traceparent, signal }))
  if (signal.aborted && outcome.kind !== 'sent') return undefined
  const next = nextStep(outcome, email, ctx.random())
  ctx.emailMetrics.attempts.inc({ outcome: outcome.kind })
  if (next.status === 'failed') ctx.emailMetrics.failed.inc()
  if (next.status === 'sent') {
    ctx.emailMetrics.latency.observe((email.ageMs + ctx.clock.monotonicMs() - startedMs) / 1000)
  }
  return {
    next,
    isAttempt: outcome.kind !== 'postponed' && outcome.kind !== 'suppressed',
    failureReason: 'reason' in outcome ? outcome.reason : null,
    orderId: found.orderId,
    locale: found.locale,
    recipient: found.address === undefined ? undefined : sealRecipient(ctx.secrets, email, found.address),
  }
}

/** Result of an attempt that failed because of a bug. Counts as an attempt, so that the delays grow. */
export function brokenAttempt({ random }: Pick<AppContext, 'random'>, email: ClaimedEmail): AttemptResult {
  const next = nextStep({ kind: 'deferred' }, email, random())
  const failureReason = 'Internal error of Storekeep.'
  return { next, isAttempt: true, failureReason, orderId: undefined, locale: undefined, recipient: undefined }
}

async function attempt(
  { records, log, checkoutBaseUrl }: Pick<AppContext, 'records' | 'log' | 'checkoutBaseUrl'>,
  mailer: Mailer,
  email: ClaimedEmail,
  { traceparent, signal }: { traceparent: string; signal: AbortSignal },
): Promise<{ outcome: Outcome; found: Found }> {
  const call = { storeId: email.storeId, actor: internalActor, requestId: randomUUID(), traceparent, signal }
  const loaded = await loadFacts(records, email, call)
  if ('outcome' in loaded) return loaded
  const { facts, found } = loaded
  const outcome = await mailer.send(
    { ...(await composeEmail(facts, checkoutBaseUrl)), messageId: email.messageId },
    signal,
  )
  if (outcome.kind === 'unavailable') {
    const { storeId: store_id, id: aggregate_id } = email
    log.warn({ store_id, aggregate_id, attempt: email.attempts + 1 }, 'email not sent: SMTP server unavailable')
  }
  return { outcome, found }
}

async function traced<T extends { outcome: Outcome }>(
  email: ClaimedEmail,
  work: (traceparent: string) => Promise<T>,
): Promise<T> {
  const parent = recordedParent(email.traceparent)
  const span =
    parent &&
    startSpan('send email', 'client', parent, {
      [attributes.storeId]: email.storeId,
      [attributes.eventAttempt]: email.attempts + 1,
    })
  if (!span) return withSpan(undefined, () => work(formatTraceparent(unrecordedContext())))
  return endWith(span, async () => {
    const result = await withSpan(span, () => work(span.traceparent))
    if (result.outcome.kind !== 'sent') span.fail(result.outcome.kind)
    return result
  })
}
