import {
  attributes,
  endWith,
  recordedParent,
  type Span,
  type SpanAttributes,
  startSpan,
  values,
  withSpan,
} from '../telemetry/index.ts'
import type { Delivery } from './delivery.ts'
import { optional } from './envelope.ts'
import type { OutboxRow } from './outbox.ts'

/**
 * Publishes an event as a span in the trace of its change.
 * @param send receives the context for the message, so that consumers create spans below the publish span
 */
export function tracePublish<T>(
  subject: string,
  { traceparent, event_id, store_id }: OutboxRow,
  send: (traceparent: string | null) => Promise<T>,
): Promise<T> {
  const parent = recordedParent(traceparent)
  const span =
    parent &&
    startSpan(`send ${subject}`, 'producer', parent, {
      ...operation(values.send, subject, event_id),
      [attributes.storeId]: store_id ?? undefined,
    })
  return span ? endWith(span, () => send(span.traceparent)) : send(traceparent)
}

/**
 * Processes a message as a child span of its publishing. (Not a span link: recorded messages are never batched.)
 * @param process receives the span; undefined if the trace is not recorded
 */
export async function traceProcessing(
  consumer: string,
  message: Delivery,
  process: (span: Span | undefined) => Promise<Processed>,
): Promise<void> {
  const parent = recordedParent(optional(message, 'traceparent'))
  const span =
    parent &&
    startSpan(`process ${message.subject}`, 'consumer', parent, {
      ...operation(values.process, message.subject, optional(message, 'ce-id')),
      [attributes.messagingConsumerGroupName]: consumer,
      [attributes.eventAttempt]: message.info.deliveryCount,
      [attributes.storeId]: optional(message, 'ce-storeid'),
    })
  if (!span) return void (await withSpan(undefined, () => process(undefined)))
  await endWith(span, async () => {
    const { outcome, failure } = await withSpan(span, () => process(span))
    span.set({ [attributes.eventOutcome]: outcome })
    if (failure !== undefined) span.fail(failure)
  })
}

/** The outcome of a message, and the type of the error if it failed. */
export interface Processed {
  outcome: Outcome
  failure?: string
}

function operation(name: 'send' | 'process', subject: string, eventId: string | undefined): SpanAttributes {
  return {
    [attributes.messagingSystemName]: values.nats,
    [attributes.messagingOperationName]: name,
    [attributes.messagingOperationType]: name,
    [attributes.messagingDestinationName]: subject,
    [attributes.messagingMessageId]: eventId,
  }
}

/** Outcome of a delivery. */
export type Outcome = 'applied' | 'duplicate' | 'ignored' | 'retried' | 'postponed' | 'dead_letter'
