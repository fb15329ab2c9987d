import { type EventEnvelope, type EventHandler, onEvents } from '@storekeep/common/events'
import type { Transaction } from '@storekeep/common/postgres'
import type { AppContext } from '../context.ts'
import { documentWrite } from '../db/document-repository.ts'
import { holdGenerations } from '../db/generation-repository.ts'
import type { DocumentRow } from '../db/schema.ts'
import { documentOf, tombstoneOf } from '../document.ts'
import { type Kind, type KindEvent, kinds } from '../kinds/index.ts'

/** Writes the records of events into every generation there is. */
export function onRecordsChanged(ctx: AppContext): EventHandler {
  const schemas = kinds.flatMap(({ events }) => events.map(({ schema }) => schema))
  return onEvents(schemas, (tx, events) => applyEvents(ctx, tx, events))
}

async function applyEvents(
  { clock, measures }: AppContext,
  tx: Transaction,
  events: readonly EventEnvelope[],
): Promise<void> {
  const documents = events.map(toDocument)
  for (const generation of await holdGenerations(tx)) tx.enqueueBeforeCommit(documentWrite(generation, documents))
  tx.afterCommit(() => {
    const now = clock.now().getTime()
    for (const { type, time } of events)
      measures.lag.observe({ type: known(type).kind.type }, (now - time.getTime()) / 1000)
  })
}

function toDocument({
  type,
  storeId,
  aggregateId: id,
  aggregateVersion: version,
  message,
}: EventEnvelope): DocumentRow {
  const { kind, event } = known(type)
  const record = event.recordOf(message)
  if (storeId === undefined || !record) throw new Error('The event tells of no record of a store.')
  return event.isDeletion
    ? tombstoneOf(kind, { storeId, id, version })
    : documentOf(kind, { storeId, id, version, record })
}

function known(type: string): KnownEvent {
  const found = knownEvents.get(type)
  if (!found) throw new Error(`No kind of record has events of type ${type}.`)
  return found
}

const knownEvents: ReadonlyMap<string, KnownEvent> = new Map(
  kinds.flatMap((kind) => kind.events.map((event) => [event.schema.typeName, { kind, event }])),
)

interface KnownEvent {
  kind: Kind
  event: KindEvent
}
