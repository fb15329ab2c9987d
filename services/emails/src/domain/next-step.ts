import { sendingMs } from './causes.ts'
import type { EmailStatus } from './email.ts'

/** How an attempt to send an email ended. */
export type Outcome =
  /** The server accepted the email. */
  | { kind: 'sent' }
  /** The server rejected the recipient or the email for good: 5xx. */
  | { kind: 'bounced'; reason: string }
  /** The server wants the email later: 4xx, such as greylisting. */
  | { kind: 'deferred'; reason: string }
  /** No connection, no TLS, no sign-in, the sender rejected, no response in time: nothing about this email. */
  | { kind: 'unavailable'; reason: string }
  /** The email is not sent: its kind is disabled, or there is no address. */
  | { kind: 'suppressed'; reason: string }
  /** Another service of Storekeep is unavailable, so the email could not be written. Not an attempt. */
  | { kind: 'postponed' }

export interface Sending {
  /** Attempts before this one. */
  attempts: number
  /** Since the email was created. */
  ageMs: number
}

export type NextStep = { status: 'pending'; delayMs: number } | { status: Exclude<EmailStatus, 'pending'> }

/**
 * Decides what follows an attempt. The delays grow, since servers greylist for minutes and mailboxes are full for days. An outage of
 * the server says nothing about the email, so the delay is 5 minutes at most. After three days the email has failed.
 *
 * @param random from 0 to 1: varies the delay by ± 10 %, so that emails that failed together are not repeated together
 */
export function nextStep({ kind }: Pick<Outcome, 'kind'>, { attempts, ageMs }: Sending, random: number): NextStep {
  if (kind === 'sent' || kind === 'bounced' || kind === 'suppressed') return { status: kind }
  const grown = delaysMs[Math.min(attempts, delaysMs.length - 1)] ?? 0
  const delayMs = Math.round(Math.min(grown, maxDelayMs[kind]) * (0.9 + random * 0.2))
  return ageMs + delayMs > sendingMs ? { status: 'failed' } : { status: 'pending', delayMs }
}

const minuteMs = 60_000

/** After the first attempt, the second, and so on. */
const delaysMs: readonly number[] = [1, 5, 10, 20, 30, 60, 120, 240, 360].map((minutes) => minutes * minuteMs)

const maxDelayMs = { deferred: 360 * minuteMs, unavailable: 5 * minuteMs, postponed: minuteMs / 4 } as const
