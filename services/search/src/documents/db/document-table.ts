import { type BulkConnection, dropInvalidIndex, type Transaction } from '@storekeep/common/postgres'
import sql, { raw } from 'sql-template-tag'
import { createIndexTriggers, dropIndexTriggers } from './index-triggers.ts'
import { documentTable, postingTable, vocabularyTable } from './table-names.ts'

/**
 * Creates the tables of a new generation. Its gram index is created once it is filled, see `createGramIndex`. A deleted
 * record stays as an empty row with its version, so that a late event cannot restore it.
 */
export async function createGenerationTables(tx: Transaction, generation: string): Promise<void> {
  const documents = documentTable(generation).sql
  await tx.query(sql`
    create table ${raw(documents)} (
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
  await tx.query(sql`create index ${raw(`${documents}_of_type`)} on ${raw(documents)} (type, store_id, id)`)
  // Vacuumed often, because a scan of the index alone visits the table for pages that are not marked as visible to all.
  await tx.query(sql`
    create table ${postingTable(generation)} (
      store_id bigint not null,
      id bigint not null,
      type text collate "C" not null,
      term text collate "C" not null,
      primary key (store_id, type, term, id)
    ) with (autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_vacuum_scale_factor = 0.05)`)
  // The term comes first, so that the planner never reads all words of a store in place of the gram index.
  await tx.query(sql`
    create table ${vocabularyTable(generation)} (
      store_id bigint not null,
      type text collate "C" not null,
      term text collate "C" not null,
      -- The whole word if the term is shortened.
      word text,
      grams int[] not null,
      primary key (term, store_id, type)
    )`)
  await createIndexTriggers(tx, generation)
}

/**
 * Creates the gram index while events are being applied, and replaces one whose creation was interrupted. The pending
 * list is kept short because every lookup reads all of it.
 */
export async function createGramIndex(bulk: BulkConnection, generation: string): Promise<void> {
  const table = vocabularyTable(generation).sql
  const name = `${table}_grams`
  await dropInvalidIndex(bulk, name)
  await bulk.alone(`create index concurrently if not exists ${name} on ${table}
    using gin (grams) with (gin_pending_list_limit = 256)`)
}

/** Updates the statistics of the planner, and the map of the pages that are visible to all. */
export async function analyzeGeneration(bulk: BulkConnection, generation: string): Promise<void> {
  const tables = [documentTable(generation), postingTable(generation), vocabularyTable(generation)]
  await bulk.alone(`vacuum analyze ${tables.map((table) => table.sql).join()}`)
}

/** Drops the tables and the counts of an unused generation, after the searches that still read it. */
export async function dropGeneration(bulk: BulkConnection, generation: string): Promise<void> {
  const tables = [documentTable(generation), postingTable(generation), vocabularyTable(generation)]
  await bulk.transaction(async (tx) => {
    await tx.query(raw(`drop table if exists ${tables.map((table) => table.sql).join()}`))
    await dropIndexTriggers(tx, generation)
    await tx.query(sql`delete from document_count where generation = ${generation}`)
    await tx.query(sql`update generation set has_table = false where id = ${generation}`)
  })
}
