import { fromBinary, type Registry } from '@bufbuild/protobuf'
import sql from 'sql-template-tag'
import type { Database } from '../src/postgres/index.ts'

/** Reads the events of one aggregate from the outbox, in order. */
export async function eventsOf(
  { database, eventTypes }: { database: Database; eventTypes: Registry },
  aggregateId: string | undefined,
): Promise<TestEvent[]> {
  const rows = await database.query<OutboxRow>(sql`
    select aggregate || '.' || verb as name, type, aggregate_version as version, store_id as "storeId", payload
    from outbox where aggregate_id = ${aggregateId ?? null} order by position`)
  return rows.map(({ name, type, version, storeId, payload }) => {
    const schema = eventTypes.getMessage(type)
    if (!schema) throw new Error(`unknown event type ${type}`)
    return { type: name, version, storeId, message: fromBinary(schema, payload) }
  })
}

/** Counts the events of one store in the outbox. */
export async function countEvents({ database }: { database: Database }, storeId: string): Promise<number> {
  const rows = await database.query(sql`select 1 from outbox where store_id = ${storeId}`)
  return rows.length
}

/** Whether every event of one aggregate has been published to the stream. */
export async function isPublished(
  { database }: { database: Database },
  aggregateId: string | undefined,
): Promise<boolean> {
  const rows = await database.query<{ published: boolean }>(sql`
    select published_at is not null as published from outbox where aggregate_id = ${aggregateId ?? null}`)
  return rows.length > 0 && rows.every(({ published }) => published)
}

export interface TestEvent {
  /** `customer.created` */
  type: string
  version: string
  storeId: string | null
  message: unknown
}

interface OutboxRow {
  name: string
  type: string
  version: string
  storeId: string | null
  payload: Buffer
}
