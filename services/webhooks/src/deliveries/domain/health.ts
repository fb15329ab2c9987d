import type { DisabledReason } from '../../endpoints/domain/endpoint.ts'
import { gone, isSuccess } from './retry.ts'

/** What the attempts of an endpoint say about it: its current series of failures. */
export interface Health {
  /** When the first attempt of the series was made; null without a series. */
  failingSince: Date | null
  /** When the last one was made. */
  lastFailedAt: Date | null
  failedAttempts: number
}

/**
 * Judges an endpoint by attempts that ended together. A series of failures ends with a success, and after a silence of 36 hours:
 * an endpoint that rarely has events must not be judged by failures of long ago. Retries of one delivery are never that far apart.
 *
 * @param attempts `status` is undefined without a response
 * @returns the health after the attempts, and why to disable the endpoint: it responded 410 (`gone`), or a series of at least
 *   10 failures lasts for five days (`failing`); null to leave it enabled
 */
export function judgeEndpoint(
  before: Health,
  attempts: readonly { status: number | undefined; startedAt: Date }[],
): { health: Health; disabledReason: DisabledReason | null } {
  if (attempts.some(({ status }) => status === gone)) return { health: before, disabledReason: 'gone' }
  if (attempts.some(({ status }) => isSuccess(status))) return { health: noFailures, disabledReason: null }
  const times = attempts.map(({ startedAt }) => startedAt.getTime()).sort((a, b) => a - b)
  const health = times.reduce(addFailure, before)
  const { failingSince, lastFailedAt, failedAttempts } = health
  const lastedMs = Number(lastFailedAt) - Number(failingSince)
  const isOver = failedAttempts >= minFailures && lastedMs >= disabledAfterMs
  return { health, disabledReason: isOver ? 'failing' : null }
}

function addFailure({ failingSince, lastFailedAt, failedAttempts }: Health, time: number): Health {
  const at = new Date(time)
  const continues = failingSince !== null && lastFailedAt !== null && time - lastFailedAt.getTime() <= maxSilenceMs
  if (!continues) return { failingSince: at, lastFailedAt: at, failedAttempts: 1 }
  return { failingSince, lastFailedAt: at > lastFailedAt ? at : lastFailedAt, failedAttempts: failedAttempts + 1 }
}

const noFailures: Health = { failingSince: null, lastFailedAt: null, failedAttempts: 0 }

const hourMs = 3_600_000
const disabledAfterMs = 5 * 24 * hourMs
const minFailures = 10
/** More than the longest delay of a retry: a day, by `Retry-After`. */
const maxSilenceMs = 36 * hourMs
