import { type Database, expectRow, type Queryable, type Transaction } from '@storekeep/common/postgres'
import type { SearchedRecord } from '@storekeep/proto/conventions/searched-records'
import sql, { raw } from 'sql-template-tag'
import { createGenerationTables } from '../../documents/db/document-table.ts'
import type { GenerationPartRow, GenerationRow } from './schema.ts'

/**
 * The generation that searches use, with the number of documents of the store by type: the live one or, in a new
 * system, the first one, which is still being built. Undefined until that build starts.
 */
export async function findSearchedGeneration(db: Queryable, storeId: string): Promise<SearchedGeneration | undefined> {
  const rows = await db.query<{ id: string; type: SearchedRecord | null; count: string }>(sql`
    select id, type, count from (
      select id from generation where state in ('live', 'running') order by state = 'live' desc limit 1
    ) searched left join lateral (
      select type, sum(count)::bigint as count from document_count
      where generation = searched.id and store_id = ${storeId} group by type having sum(count) > 0
    ) of_type on true`)
  const [first] = rows
  const totals = rows.flatMap(({ type, count }) => (type === null ? [] : [[type, Number(count)] as const]))
  return first && { id: first.id, totals: new Map(totals) }
}

export interface SearchedGeneration {
  id: string
  totals: ReadonlyMap<SearchedRecord, number>
}

/**
 * The generations to write an event into, locked against swap and removal until the transaction ends. A generation that
 * starts later does not need the event: its owner has committed the change, so the export contains it.
 */
export async function lockWritableGenerations(tx: Transaction): Promise<string[]> {
  const [, rows] = await Promise.all([
    tx.query(sql`select pg_advisory_xact_lock_shared(${generationLock}::bigint)`),
    tx.query<{ id: string }>(sql`select id from generation where state in ('live', 'running') order by id`),
  ])
  return rows.map(({ id }) => id)
}

/** Blocks writing events and starting, swapping or ending generations until the transaction ends. */
export async function lockGenerations(tx: Transaction): Promise<void> {
  await tx.query(sql`select pg_advisory_xact_lock(${generationLock}::bigint)`)
}

/** Starts a generation, leased by the worker, unless one is running. @returns the running one */
export async function startGeneration(
  tx: Transaction,
  worker: string,
  indexVersion: number,
  aggregates: readonly string[],
): Promise<string> {
  await lockGenerations(tx)
  const [running] = await tx.query<{ id: string }>(sql`select id from generation where state = 'running'`)
  if (running) return running.id
  const rows = await tx.query<{ id: string }>(sql`
    insert into generation (index_version, state, leased_by, leased_until)
    values (${indexVersion}, 'running', ${worker}, ${leaseEnd}) returning id`)
  const started = expectRow(rows)
  await tx.query(sql`
    insert into generation_part (generation, aggregate)
    select ${started.id}::bigint, aggregate from unnest(${aggregates}::text[]) aggregate`)
  await createGenerationTables(tx, started.id)
  return started.id
}

/** Makes the generation live in place of the old one, after events that are being written into the old one. */
export async function makeLive(database: Database, id: string): Promise<void> {
  await database.transaction(async (tx) => {
    await lockGenerations(tx)
    await tx.query(sql`update generation set state = 'replaced' where state = 'live'`)
    await tx.query(sql`
      update generation set state = 'live', finished_at = now(), problem = null where id = ${id} and state = 'running'`)
  })
}

export async function failGeneration(database: Database, id: string, problem: string): Promise<void> {
  await database.transaction(async (tx) => {
    await lockGenerations(tx)
    await tx.query(sql`
      update generation set state = 'failed', finished_at = now(), problem = ${problem}
      where id = ${id} and state = 'running'`)
  })
}

export async function findGeneration(db: Queryable, id: string): Promise<GenerationRow | undefined> {
  const [row] = await db.query<GenerationRow>(sql`select ${generationColumns} from generation where id = ${id}`)
  return row
}

export async function selectParts(db: Queryable, id: string): Promise<GenerationPartRow[]> {
  return await db.query<GenerationPartRow>(sql`
    select ${partColumns} from generation_part where generation = ${id} order by aggregate`)
}

/** The live generation with its record types. */
export async function findLiveGeneration(db: Queryable): Promise<LiveGeneration | undefined> {
  const [row] = await db.query<LiveGeneration>(sql`
    select id, index_version as "indexVersion",
      array(select aggregate from generation_part where generation = generation.id) as aggregates
    from generation where state = 'live'`)
  return row
}

interface LiveGeneration {
  id: string
  indexVersion: number
  aggregates: string[]
}

/** Whether a generation failed within the last 5 minutes. */
export async function hasRecentFailure(db: Queryable): Promise<boolean> {
  const rows = await db.query(sql`
    select from generation where state = 'failed' and finished_at > now() - interval '5 minutes' limit 1`)
  return rows.length > 0
}

/** Generations that ended and still have their table. */
export async function selectObsolete(db: Queryable): Promise<string[]> {
  const rows = await db.query<{ id: string }>(sql`
    select id from generation where state in ('replaced', 'failed') and has_table`)
  return rows.map(({ id }) => id)
}

/** Unique among the advisory locks of this database. */
const generationLock = '7303014513642150113'

export const leaseEnd = sql`now() + interval '15 seconds'`

const generationColumns = raw(`id, index_version as "indexVersion", state, started_at as "startedAt",
  filled_at as "filledAt", finished_at as "finishedAt", problem`)
const partColumns = raw(`aggregate, after_store_id as "afterStoreId", after_id as "afterId", filled,
  is_filled as "isFilled", checked, drifted`)
