import type { DisabledReason } from '../../endpoints/domain/endpoint.ts'
import { gone, isSuccess } from './retry.ts'

/** What attempts that ended together say about their endpoint. */
export interface HealthChange {
  /** Since when every attempt has failed; null after a success. */
  failingSince: Date | null
  /** Why to disable the endpoint; null to leave it enabled. */
  disabledReason: DisabledReason | null
}

/**
 * Judges an endpoint by attempts that ended together. A success ends a series of failures. The endpoint is disabled when it
 * responds 410, and when every attempt of the last five days has failed.
 *
 * @param failingSince the state before
 * @param attempts `status` is undefined without a response
 */
export function judgeEndpoint(
  failingSince: Date | null,
  attempts: readonly { status: number | undefined; startedAt: Date }[],
): HealthChange {
  if (attempts.some(({ status }) => status === gone)) return { failingSince, disabledReason: 'gone' }
  if (attempts.some(({ status }) => isSuccess(status))) return { failingSince: null, disabledReason: null }
  const times = attempts.map(({ startedAt }) => startedAt.getTime())
  const since = failingSince ?? new Date(Math.min(...times))
  const isOver = Math.max(...times) - since.getTime() >= disabledAfterMs
  return { failingSince: since, disabledReason: isOver ? 'failing' : null }
}

const disabledAfterMs = 5 * 24 * 3_600_000
