import type pg from 'pg'
import { errors } from '../errors/index.ts'

/** Work that is no longer needed once its caller has left; every `Call` is one. */
export interface Cancelable {
  /** Aborting it cancels the running statement. */
  readonly signal?: AbortSignal | undefined
}

/** Makes Postgres cancel the statement that a client is running. Never rejects. */
export type CancelStatement = (client: pg.PoolClient) => Promise<void>

/**
 * Cancels the statement that the client is running when the signal aborts.
 * @returns ends this, and resolves when no cancellation is pending. A pending one would hit the next statement on the
 * connection
 */
export function watchSignal(
  { signal }: Cancelable,
  client: pg.PoolClient,
  cancel: CancelStatement,
): () => Promise<void> {
  let canceling: Promise<void> | undefined
  const onAbort = () => {
    canceling = cancel(client)
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
