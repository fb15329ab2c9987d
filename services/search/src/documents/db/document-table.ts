import type { Database, Queryable, Transaction } from '@storekeep/common/postgres'
import sql, { raw, type Sql } from 'sql-template-tag'

/** The name of the table of a generation. */
export function documentTable(generation: string): Sql {
  if (!/^[0-9]{1,18}$/.test(generation)) throw new RangeError(`invalid generation ${generation}`)
  return raw(`document_${generation}`)
}

/**
 * Creates the table of a new generation. Its key index is created once it is filled, see `createKeyIndex`. A deleted
 * record stays as an empty row with its version, so that a late event cannot restore it.
 */
export async function createDocumentTable(tx: Transaction, generation: string): Promise<void> {
  const table = documentTable(generation)
  const { sql: name } = table
  await tx.query(sql`
    create table ${table} (
      store_id bigint not null,
      id bigint not null,
      type text not null,
      version bigint not null,
      deleted boolean not null,
      record bytea not null,
      words text not null,
      keys bigint[] not null,
      primary key (store_id, id)
    )`)
  // For lists of one type, and for checksums in the order of an export.
  await tx.query(sql`create index ${raw(`${name}_of_type`)} on ${table} (type, store_id, id)`)
  await tx.query(sql`
    create trigger count_inserted after insert on ${table} referencing new table as new_rows
    for each statement execute function count_inserted_documents(${raw(generation)})`)
  await tx.query(sql`
    create trigger count_updated after update on ${table} referencing old table as old_rows new table as new_rows
    for each statement execute function count_updated_documents(${raw(generation)})`)
}

/**
 * Creates the key index while events are being applied, and replaces one whose creation was interrupted. The pending
 * list is kept short because every search reads all of it.
 */
export async function createKeyIndex(db: Queryable, generation: string): Promise<void> {
  const table = documentTable(generation)
  const name = `${table.sql}_keys`
  const [known] = await db.query<{ valid: boolean }>(sql`
    select indisvalid as valid from pg_index where indexrelid = to_regclass(${name})`)
  if (known?.valid) return
  if (known) await db.query(sql`drop index concurrently ${raw(name)}`)
  await db.query(sql`
    create index concurrently ${raw(name)} on ${table} using gin (keys) with (gin_pending_list_limit = 256)`)
}

/** Updates the statistics of the planner. */
export async function analyzeDocuments(db: Queryable, generation: string): Promise<void> {
  await db.query(sql`analyze ${documentTable(generation)}`)
}

/** Drops the table and the counts of an unused generation, after the searches that still read it. */
export async function dropDocuments(database: Database, generation: string): Promise<void> {
  await database.transaction(async (tx) => {
    await tx.query(sql`drop table if exists ${documentTable(generation)}`)
    await tx.query(sql`delete from document_count where generation = ${generation}`)
    await tx.query(sql`update generation set has_table = false where id = ${generation}`)
  })
}
