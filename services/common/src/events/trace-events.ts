import {
  attributes,
  endWith,
  errorType,
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
 * Processes messages as child spans of their publishing. (Not span links: recorded messages share a span with no others.)
 * @param process receives the spans of the messages whose traces are recorded
 */
export async function traceProcessing(
  consumer: string,
  messages: readonly Delivery[],
  process: (spans: ReadonlyMap<Delivery, Span>) => Promise<Processed>,
): Promise<void> {
  const spans = new Map(messages.flatMap((message) => startProcessing(consumer, message)))
  const all = [...spans.values()]
  try {
    const { outcome, failure } = await withSpan(all[0], () => process(spans))
    for (const span of all) span.set({ [attributes.eventOutcome]: outcome })
    if (failure !== undefined) for (const span of all) span.fail(failure)
  } catch (error) {
    for (const span of all) span.fail(errorType(error))
    throw error
  } finally {
    for (const span of all) span.end()
  }
}

function startProcessing(consumer: string, message: Delivery): [Delivery, Span][] {
  const parent = recordedParent(optional(message, 'traceparent'))
  const span =
    parent &&
    startSpan(`process ${message.subject}`, 'consumer', parent, {
      ...operation(values.process, message.subject, optional(message, 'ce-id')),
      [attributes.messagingConsumerGroupName]: consumer,
      [attributes.eventAttempt]: message.info.deliveryCount,
      [attributes.storeId]: optional(message, 'ce-storeid'),
    })
  return span ? [[message, span]] : []
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
