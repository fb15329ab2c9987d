import { type EventEnvelope, type EventHandler, onEvent } from '@storekeep/common/events'
import type { Transaction } from '@storekeep/common/postgres'
import type { AppContext } from '../context.ts'
import { documentWrite } from '../db/document-repository.ts'
import { holdGenerations } from '../db/generation-repository.ts'
import { documentOf, tombstoneOf } from '../document.ts'
import type { Kind, KindEvent } from '../kinds/index.ts'

/** Writes the record of an event into every generation there is. */
export function onRecordChanged(ctx: AppContext, kind: Kind, event: KindEvent): EventHandler {
  return onEvent(event.schema, (tx, envelope) => applyEvent(ctx, tx, kind, event, envelope))
}

async function applyEvent(
  { clock, measures }: AppContext,
  tx: Transaction,
  kind: Kind,
  { isDeletion, recordOf }: KindEvent,
  envelope: EventEnvelope,
): Promise<void> {
  const { storeId, aggregateId: id, aggregateVersion: version, message, time } = envelope
  const record = recordOf(message)
  if (storeId === undefined || !record) throw new Error('The event tells of no record of a store.')
  const document = isDeletion
    ? tombstoneOf({ storeId, id, version })
    : documentOf(kind, { storeId, id, version, record })
  for (const generation of await holdGenerations(tx)) tx.withCommit(documentWrite(generation, kind.type, [document]))
  tx.afterCommit(() => measures.lag.observe({ type: kind.type }, (clock.now().getTime() - time.getTime()) / 1000))
}
