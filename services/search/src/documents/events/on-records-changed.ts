import { isFault } from '@storekeep/common/errors'
import { type EventEnvelope, type EventHandler, onEvents, PostponeEvent } from '@storekeep/common/events'
import type { Transaction } from '@storekeep/common/postgres'
import type { AppContext } from '../../context.ts'
import { lockWritableGenerations } from '../../rebuilds/db/generation-repository.ts'
import { documentWrite } from '../db/document-repository.ts'
import type { DocumentRow } from '../db/schema.ts'
import { documentOf, type RecordVersion, tombstoneOf } from '../mappers/documents.ts'
import { type RecordEvent, type RecordType, recordTypes } from '../mappers/record-types/index.ts'

/**
 * Writes the records of a batch of events into the live generation and the one being built. Events leave out personal data that
 * is searched, so that it is not kept in the stream; such records are read from their owners.
 */
export function onRecordsChanged(ctx: AppContext): EventHandler {
  const schemas = recordTypes.flatMap(({ events }) => events.map(({ schema }) => schema))
  return onEvents(
    schemas,
    (tx, events, completed: readonly (RecordVersion | undefined)[]) => applyEvents(ctx, tx, events, completed),
    (event) => complete(ctx, event),
  )
}

/**
 * Reads the whole record of a partial event. It can be newer than the event, never older.
 * @returns undefined if the event suffices, or if the owner no longer has the record
 * @throws PostponeEvent while the owner is unavailable
 */
async function complete({ owners }: AppContext, event: EventEnvelope): Promise<RecordVersion | undefined> {
  const { recordType, event: definition } = definitionOf(event.type)
  const { storeId, aggregateId: id, message, traceparent } = event
  if (storeId === undefined || !definition.isPartial(message)) return undefined
  try {
    const found = await owners.readRecord(recordType, { storeId, id }, traceparent)
    if (!found || found.version < BigInt(event.aggregateVersion)) return undefined
    return { storeId, id, version: found.version.toString(), record: found.record }
  } catch (error) {
    if (!isFault(error, 'service-unavailable')) throw error
    throw new PostponeEvent('the owner of a record is unavailable', { cause: error })
  }
}

async function applyEvents(
  { clock, indexMetrics }: AppContext,
  tx: Transaction,
  events: readonly EventEnvelope[],
  completed: readonly (RecordVersion | undefined)[],
): Promise<void> {
  const documents = events.map((event, index) => toDocument(event, completed[index]))
  for (const id of await lockWritableGenerations(tx)) tx.enqueueBeforeCommit(documentWrite(id, documents))
  tx.afterCommit(() => {
    const now = clock.now().getTime()
    for (const { type, time } of events) {
      indexMetrics.lag.observe({ type: definitionOf(type).recordType.type }, (now - time.getTime()) / 1000)
    }
  })
}

function toDocument(envelope: EventEnvelope, completed: RecordVersion | undefined): DocumentRow {
  const { type, storeId, aggregateId: id, aggregateVersion: version, message } = envelope
  const { recordType, event } = definitionOf(type)
  if (completed) return documentOf(recordType, completed)
  const record = event.recordOf(message)
  if (storeId === undefined || !record) throw new Error(`The event ${type} carries no record of a store.`)
  return event.isDeletion
    ? tombstoneOf(recordType, { storeId, id, version })
    : documentOf(recordType, { storeId, id, version, record })
}

function definitionOf(eventType: string): EventDefinition {
  const found = definitions.get(eventType)
  if (!found) throw new Error(`No record type has events of type ${eventType}.`)
  return found
}

const definitions: ReadonlyMap<string, EventDefinition> = new Map(
  recordTypes.flatMap((recordType) =>
    recordType.events.map((event) => [event.schema.typeName, { recordType, event }] as const),
  ),
)

interface EventDefinition {
  recordType: RecordType
  event: RecordEvent
}
