import type pg from 'pg'
import { errors } from '../errors/index.ts'
import { requestCancellation } from './cancel-request.ts'

/** Work that is no longer needed once its caller has left; every `Call` is one. */
export interface Cancelable {
  /** Aborting it cancels the running statement. */
  readonly signal?: AbortSignal | undefined
}

/**
 * Cancels the statement that the client is running when the signal aborts.
 * @returns ends this, and resolves when no cancellation is pending. A pending one would hit the next statement on the
 * connection, so if this rejects, the connection must not be used again
 */
export function watchSignal({ signal }: Cancelable, client: pg.PoolClient): () => Promise<void> {
  let canceling: Promise<void> | undefined
  const onAbort = () => {
    canceling = requestCancellation(client)
    // The caller handles it, but possibly not before it happens.
    canceling.catch(() => {})
  }
  signal?.addEventListener('abort', onAbort)
  return async () => {
    signal?.removeEventListener('abort', onAbort)
    await canceling
  }
}

/** @throws ServiceFault `service-unavailable` once the signal has aborted */
export function throwIfCanceled({ signal }: Cancelable): void {
  if (signal?.aborted) throw errors.unavailable(new Error('the caller has left'))
}
