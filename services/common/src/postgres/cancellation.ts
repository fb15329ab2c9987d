import { errors } from '../errors/index.ts'

/** Work that is no longer needed once its caller has left; every `Call` is one. */
export interface Cancelable {
  /** Aborting it ends the running statement. */
  readonly signal?: AbortSignal | undefined
}

/**
 * Closes the connection when the signal aborts, which ends its running statement. A cancel request would spare the connection,
 * but it could hit the next statement, and a pooler has its own process ids.
 * @returns ends this
 */
export function closeOnAbort({ signal }: Cancelable, connection: { close(): void }): () => void {
  const close = () => connection.close()
  signal?.addEventListener('abort', close)
  return () => signal?.removeEventListener('abort', close)
}

/** @throws ServiceFault `service-unavailable` once the signal has aborted */
export function throwIfCanceled({ signal }: Cancelable): void {
  if (signal?.aborted) throw errors.unavailable(new Error('the caller has left'))
}
