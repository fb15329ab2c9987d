import {
  createRequester,
  type OutgoingRequest as GenericRequest,
  type RequesterOptions,
  type RequestOutcome,
} from '@storekeep/common/outgoing'
import { retryAfterSeconds } from './retry-after.ts'

export interface Sender {
  /** Makes one POST request to an endpoint, as `Requester` describes. Never throws. */
  send(request: OutgoingRequest): Promise<Outcome>
  /** Closes idle connections. */
  close(): Promise<void>
}

export type OutgoingRequest = Pick<GenericRequest, 'url' | 'headers' | 'timeoutMs' | 'signal'> & { body: string }

export type Outcome =
  | {
      kind: 'response'
      status: number
      headers: Record<string, string>
      /** The first 4 KiB. */
      body: string
      durationMs: number
      retryAfterSeconds?: number
    }
  | Extract<RequestOutcome, { kind: 'failure' }>

export function createSender(options: RequesterOptions): Sender {
  const requester = createRequester(options)
  return {
    async send(request) {
      const outcome = await requester.request({ ...request, method: 'POST', maxBodyBytes: 4096 })
      if (outcome.kind === 'failure') return outcome
      const { status, headers, body, durationMs } = outcome
      const seconds = retryAfterSeconds(headers, options.clock.now())
      return {
        kind: 'response',
        status,
        headers,
        // `stream` leaves out a character that the limit cuts in two.
        body: new TextDecoder().decode(body, { stream: true }),
        durationMs,
        ...(seconds !== undefined && { retryAfterSeconds: seconds }),
      }
    },
    close: () => requester.close(),
  }
}
