import type { NatsConnection } from '@nats-io/transport-node'
import type { Delivery } from './delivery.ts'
import type { EventMessage } from './envelope.ts'
import type { Outcome } from './trace-events.ts'

/** A way to receive and apply events; `createConsumer` is the loop around it. */
export interface ConsumerMode {
  /** How events are queued for `apply`; see `createPartitions`. */
  readonly queue: { count: number; maxBatch: number; maxInFlight: number }
  /**
   * Prepares to receive events, which creates the stream and the consumer on the server unless they exist.
   * @param over aborted when the session ends: by the loop after a reconnect, a failed fetch or a stop, or by the mode
   * @returns undefined while another replica receives the events
   */
  open(connection: NatsConnection, over: AbortController): Promise<Session | undefined>
  /** Number of events that have not been applied yet. */
  lag(connection: NatsConnection): Promise<number>
  /** Applies a dead letter. @throws what made it fail */
  replay(message: EventMessage): Promise<Outcome>
  /** Called when the consumer has stopped. */
  close?(): Promise<void>
}

/** The time in which a replica receives events. */
export interface Session {
  /** Receives up to `count` messages; see `pull`. @throws Error to end the session; the loop opens another one */
  fetch(count: number): Promise<readonly Delivery[]>
  /** Applies messages, in order. Never rejects. */
  apply(messages: readonly Delivery[]): Promise<void>
  /** Prevents other replicas from receiving the messages in flight. Called every `renewMs`. */
  renew(inFlight: readonly Delivery[]): Promise<void>
  /** Pause after a fetch that received only this number of messages, so that under load the next one receives more. */
  pauseMs(received: number): number
}

/** Short, so that others soon get the events of a killed replica. */
export const claimSeconds = 10
export const renewMs = (claimSeconds * 1000) / 3
