import { type EventEnvelope, type EventHandler, onEvents } from '@storekeep/common/events'
import type { Transaction } from '@storekeep/common/postgres'
import type { AppContext } from '../../context.ts'
import { lockWritableGenerations } from '../../rebuilds/db/generation-repository.ts'
import { type RecordEvent, type RecordType, recordTypes } from '../../record-types/index.ts'
import { documentWrite } from '../db/document-repository.ts'
import type { DocumentRow } from '../db/schema.ts'
import { documentOf, tombstoneOf } from '../mappers.ts'

/** Writes the records of a batch of events into the live generation and the one being built. */
export function onRecordsChanged(ctx: AppContext): EventHandler {
  const schemas = recordTypes.flatMap(({ events }) => events.map(({ schema }) => schema))
  return onEvents(schemas, (tx, events) => applyEvents(ctx, tx, events))
}

async function applyEvents(
  { clock, indexMetrics }: AppContext,
  tx: Transaction,
  events: readonly EventEnvelope[],
): Promise<void> {
  const documents = events.map(toDocument)
  for (const generation of await lockWritableGenerations(tx)) {
    tx.enqueueBeforeCommit(documentWrite(generation, documents))
  }
  tx.afterCommit(() => {
    const now = clock.now().getTime()
    for (const { type, time } of events) {
      indexMetrics.lag.observe({ type: definitionOf(type).recordType.type }, (now - time.getTime()) / 1000)
    }
  })
}

function toDocument({
  type,
  storeId,
  aggregateId: id,
  aggregateVersion: version,
  message,
}: EventEnvelope): DocumentRow {
  const { recordType, event } = definitionOf(type)
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
