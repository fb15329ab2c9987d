import type pg from 'pg'
import { errors } from '../errors/index.ts'

/** Work that is no longer needed once its caller has left; every `Call` is one. */
export interface Cancelable {
  /** Aborting it cancels the running statement. */
  readonly signal?: AbortSignal | undefined
}

/** Makes Postgres cancel the statement that a client is running. Never rejects. */
export type CancelStatement = (client: pg.PoolClient) => Promise<void>

/** Cancels the statement that the client is running when the signal aborts, until `unwatch`. */
export function watchSignal({ signal }: Cancelable, client: pg.PoolClient, cancel: CancelStatement): Cancellation {
  let canceling: Promise<void> | undefined
  const onAbort = () => {
    canceling = cancel(client)
  }
  signal?.addEventListener('abort', onAbort)
  return {
    throwIfCanceled() {
      if (signal?.aborted) throw errors.unavailable(new Error('the caller has left'))
    },
    async unwatch() {
      signal?.removeEventListener('abort', onAbort)
      await canceling
    },
  }
}

export interface Cancellation {
  /** @throws ServiceFault `service-unavailable` once the signal has aborted */
  throwIfCanceled(): void
  /** Resolves when no cancellation is pending. A pending one would hit the next statement on the connection. */
  unwatch(): Promise<void>
}
