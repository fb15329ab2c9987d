import { attributes, endWith, recordedParent, startSpan, withSpan } from '@storekeep/common/telemetry'
import { maskedValue } from '@storekeep/proto/conventions/masked-value'
import { renderRequest } from '../../adapters/formats/index.ts'
import type { Outcome } from '../../adapters/send-request.ts'
import type { AppContext } from '../../context.ts'
import type { ClaimedDelivery } from '../db/claim-repository.ts'
import type { AttemptEnd } from '../db/result-repository.ts'
import { isSuccess, nextStep } from '../domain/retry.ts'
import type { PreparedDelivery } from './claim-deliveries.ts'

/**
 * Makes one attempt of a delivery: a request to the endpoint, which ends within the time limit.
 *
 * The span joins the trace of the change. `traceparent` is not sent to third parties.
 *
 * @returns undefined if it was aborted by `signal`, which leaves the outcome unknown, or not started, because its lease could end
 *   before the request: another replica would send it at the same time
 */
export async function makeAttempt(
  ctx: AttemptContext,
  delivery: PreparedDelivery,
  signal: AbortSignal,
): Promise<AttemptEnd | undefined> {
  if (ctx.clock.monotonicMs() > delivery.startBeforeMs) return undefined
  const startedAt = ctx.clock.now()
  const { eventId: id, eventType: type, payload, format, secrets, headers } = delivery
  const request = renderRequest({ id, type, payload }, { format, secrets, headers }, startedAt)
  const outcome = await traced(delivery, () =>
    ctx.outgoing.send({ url: delivery.url, ...request, timeoutMs: ctx.attempts.timeoutMs, signal }),
  )
  if (signal.aborted && outcome.kind === 'failure') return undefined
  const end = endOf(ctx, delivery, withoutSecrets(outcome, Object.values(headers)), startedAt)
  measure(ctx, delivery, end, outcome)
  return { ...end, requestHeaders: masked(request.headers, headers) }
}

/** The part of the context that an attempt uses. */
export type AttemptContext = Pick<AppContext, 'clock' | 'attempts' | 'outgoing' | 'random' | 'deliveryMetrics'>

/** Result of an attempt that failed because of a bug. Counts as an attempt, so retries stay bounded. */
export function brokenAttempt(ctx: AppContext, delivery: ClaimedDelivery): AttemptEnd {
  const outcome: Outcome = {
    kind: 'failure',
    reason: 'protocol',
    message: 'internal error of Storekeep',
    durationMs: 0,
  }
  return { ...endOf(ctx, delivery, outcome, ctx.clock.now()), requestHeaders: {} }
}

async function traced(delivery: PreparedDelivery, send: () => Promise<Outcome>): Promise<Outcome> {
  const parent = recordedParent(delivery.traceparent)
  const span =
    parent &&
    startSpan('POST webhook', 'client', parent, {
      [attributes.httpRequestMethod]: 'POST',
      [attributes.messagingMessageId]: delivery.eventId,
      [attributes.eventAttempt]: delivery.attemptCount + 1,
      [attributes.storeId]: delivery.storeId,
    })
  if (!span) return withSpan(undefined, send)
  return endWith(span, async () => {
    const outcome = await withSpan(span, send)
    if (outcome.kind === 'response') span.set({ [attributes.httpResponseStatusCode]: outcome.status })
    const label = outcomeLabel(outcome)
    if (label !== 'succeeded') span.fail(label)
    return outcome
  })
}

function endOf(
  { random }: Pick<AppContext, 'random'>,
  { storeId, webhookEndpointId, id, lease, url, attemptCount }: ClaimedDelivery,
  outcome: Outcome,
  startedAt: Date,
): Omit<AttemptEnd, 'requestHeaders'> {
  const response = outcome.kind === 'response' ? outcome : undefined
  const result = { status: response?.status, retryAfterSeconds: response?.retryAfterSeconds }
  const next = nextStep(result, attemptCount + 1, random())
  return {
    storeId,
    webhookEndpointId,
    deliveryId: id,
    lease,
    url,
    status: next.status,
    delayMs: next.status === 'pending' ? next.delayMs : null,
    startedAt,
    durationMs: Math.round(outcome.durationMs),
    responseStatus: response?.status ?? null,
    responseHeaders: response ? storable(response.headers) : null,
    responseBody: response ? withoutNul(response.body) : null,
    error: errorOf(outcome),
  }
}

function errorOf(outcome: Outcome): string | null {
  if (outcome.kind === 'failure') return withoutNul(`${outcome.reason}: ${outcome.message}`).slice(0, maxErrorLength)
  return isSuccess(outcome.status) ? null : `The endpoint responded ${outcome.status}.`
}

/** Headers of the request as they are logged. */
function masked(headers: Record<string, string>, own: PreparedDelivery['headers']): Record<string, string> {
  const secret = new Set(Object.keys(own).map((name) => name.toLowerCase()))
  const entries = Object.entries(headers)
  return Object.fromEntries(
    entries.map(([name, value]) => [name, secret.has(name.toLowerCase()) ? maskedValue : value]),
  )
}

/**
 * A receiver may send back what it was sent. Shorter values are too common in text to be replaced. Longer ones come first, because
 * they can contain others.
 */
function withoutSecrets(outcome: Outcome, values: readonly string[]): Outcome {
  const secrets = values.filter(({ length }) => length >= minSecretLength).sort((a, b) => b.length - a.length)
  const hide = (text: string) => secrets.reduce((rest, secret) => rest.replaceAll(secret, maskedValue), text)
  if (outcome.kind === 'failure') return { ...outcome, message: hide(outcome.message) }
  const headers = Object.fromEntries(Object.entries(outcome.headers).map(([name, value]) => [name, hide(value)]))
  return { ...outcome, headers, body: hide(withoutCutSecret(outcome.body, secrets)) }
}

/**
 * The size limit of a body can cut a value in two. The longest match is hidden: the end of a value can be the start of another, or of
 * the same one.
 */
function withoutCutSecret(body: string, secrets: readonly string[]): string {
  let hidden = 0
  for (const secret of secrets) {
    for (let length = secret.length; length > hidden && length >= minSecretLength; length -= 1) {
      if (body.endsWith(secret.slice(0, length))) hidden = length
    }
  }
  return hidden === 0 ? body : body.slice(0, -hidden) + maskedValue
}

/** The header count is untrusted. */
function storable(headers: Record<string, string>): Record<string, string> {
  const entries = Object.entries(headers).slice(0, maxHeaders)
  return Object.fromEntries(
    entries.map(([name, value]) => [withoutNul(name), withoutNul(value).slice(0, maxHeaderLength)]),
  )
}

/** Postgres text cannot contain NUL. */
function withoutNul(text: string): string {
  return text.replaceAll('\0', '')
}

function measure(
  { clock, deliveryMetrics }: AttemptContext,
  delivery: PreparedDelivery,
  end: { status: string },
  outcome: Outcome,
) {
  deliveryMetrics.attempts.inc({ outcome: outcomeLabel(outcome) })
  if (end.status !== 'succeeded') return
  deliveryMetrics.latency.observe((clock.now().getTime() - delivery.occurredAt.getTime()) / 1000)
}

function outcomeLabel(outcome: Outcome): AttemptOutcome {
  if (outcome.kind === 'failure') return outcome.reason
  return isSuccess(outcome.status) ? 'succeeded' : 'rejected'
}

type AttemptOutcome = 'succeeded' | 'rejected' | Extract<Outcome, { kind: 'failure' }>['reason']

const minSecretLength = 4
const maxErrorLength = 500
const maxHeaders = 50
const maxHeaderLength = 1000
