import type { JsMsg } from '@nats-io/jetstream'
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
import { optional } from './envelope.ts'
import type { OutboxRow } from './outbox.ts'

/**
 * Publishes an event as a span in the trace of the change that it tells of, however much later that is.
 * @param send gets the context that the message is to carry: consumers go on below the publishing
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
 * Processes a message as a span below its publishing. A recorded message is processed alone, so it is a child and no link.
 * @param process gets the span, undefined when the trace is not recorded
 */
export async function traceProcessing(
  consumer: string,
  message: JsMsg,
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

/** What became of a message, and the class of the error that was in the way. */
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

/** What became of a delivery. */
export type Outcome = 'applied' | 'duplicate' | 'ignored' | 'retried' | 'postponed' | 'dead_letter'
