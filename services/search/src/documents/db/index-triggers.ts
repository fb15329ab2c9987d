import type { Queryable, Transaction } from '@storekeep/common/postgres'
import { raw } from 'sql-template-tag'
import { documentGrams } from './grams.ts'
import { documentTable, postingTable, tableOf, vocabularyTable } from './table-names.ts'

/**
 * Creates the triggers that maintain counts, postings and vocabulary of a generation.
 */
export async function createIndexTriggers(tx: Transaction, generation: string): Promise<void> {
  for (const event of triggerEvents) await createIndexTrigger(tx, generation, event)
}

/** Drops the functions of the triggers, after their table. */
export async function dropIndexTriggers(db: Queryable, generation: string): Promise<void> {
  const functions = triggerEvents.map((event) => triggerFunction(generation, event))
  await db.query(raw(`drop function if exists ${functions.join()}`))
}

const triggerEvents = ['insert', 'update'] as const

function triggerFunction(generation: string, event: (typeof triggerEvents)[number]): string {
  return tableOf(`index_${event}`, generation).sql
}

/** Each generation has separate functions, so that their statements stay planned. */
async function createIndexTrigger(
  tx: Transaction,
  generation: string,
  event: (typeof triggerEvents)[number],
): Promise<void> {
  const isUpdate = event === 'update'
  const body = [
    // Both triggers of a write run, usually one of them without rows.
    'if not exists (select from new_rows) then return null; end if;',
    countStatement(generation, isUpdate),
    ...(isUpdate ? [removeStatement(generation)] : []),
    postStatement(generation, isUpdate),
    learnStatement(generation, isUpdate),
    'return null;',
  ].join('\n')
  const name = triggerFunction(generation, event)
  // The planner has no statistics of the transition tables, and a plan can be as old as the first rows of the index. These settings
  // and each `offset 0` make it look up rows one by one.
  await tx.query(
    raw(`create function ${name}() returns trigger language plpgsql set search_path from current
      set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
      as $$ begin ${body} end $$`),
  )
  await tx.query(
    raw(`create trigger index_${event} after ${event} on ${documentTable(generation).sql}
      referencing ${isUpdate ? 'old table as old_rows ' : ''}new table as new_rows
      for each statement execute function ${name}()`),
  )
}

/** Each number is spread over several slots, so that concurrent transactions rarely wait for each other. */
function countStatement(generation: string, isUpdate: boolean): string {
  const removed = isUpdate ? 'union all select store_id, type, -1 from old_rows where not deleted' : ''
  return `
    insert into document_count as known (generation, store_id, type, slot, count)
    select ${generation}, store_id, type, pg_backend_pid() % 8, sum(change)
    from (select store_id, type, 1 as change from new_rows where not deleted ${removed}) changes
    group by store_id, type having sum(change) <> 0 order by store_id, type
    on conflict (generation, store_id, type, slot) do update set count = known.count + excluded.count;`
}

function removeStatement(generation: string): string {
  return `
    delete from ${postingTable(generation).sql} where ctid = any(array(
      select posting.ctid from (
        select ${postingColumns} from old_rows document ${withTerms}
        except
        select ${postingColumns} from new_rows document ${withTerms}
      ) removed cross join lateral (
        select ctid from ${postingTable(generation).sql} known
        where known.store_id = removed.store_id and known.type = removed.type and known.term = removed.term
          and known.id = removed.id offset 0
      ) posting
    ));`
}

/** In the order of the primary key, which touches neighboring pages. A document's row is locked, so no other adds its postings. */
function postStatement(generation: string, isUpdate: boolean): string {
  const known = isUpdate ? `except select ${postingColumns} from old_rows document ${withTerms}` : ''
  return `
    insert into ${postingTable(generation).sql} (store_id, type, term, id)
    select ${postingColumns} from new_rows document ${withTerms} ${known}
    order by 1, 2, 3, 4;`
}

/** Words that are no longer used stay in the vocabulary; they have no postings. */
function learnStatement(generation: string, isUpdate: boolean): string {
  const vocabulary = vocabularyTable(generation).sql
  const known = isUpdate
    ? `except select document.store_id, document.type, one.word from old_rows document ${withWords}`
    : ''
  return `
    insert into ${vocabulary} (store_id, type, term, word, grams)
    select store_id, type, ${termOf('word')}, case when ${termOf('word')} <> word then word end, ${documentGrams()}
    from (
      select distinct document.store_id, document.type, one.word from new_rows document ${withWords} ${known}
    ) new_word
    where not exists (
      select from ${vocabulary} known
      where known.term = ${termOf('new_word.word')} and known.store_id = new_word.store_id and known.type = new_word.type
      offset 0
    )
    order by ${termOf('word')} collate "C", store_id, type on conflict do nothing;`
}

/** An index entry has a maximum size, so a longer word is shortened and made unique. */
function termOf(word: string): string {
  return `case when length(${word}) > ${longestTerm} then left(${word}, ${longestTerm}) || '#' || md5(${word}) else ${word} end`
}

/** A longer start of a word is found as a part of it. */
const longestTerm = 150

const postingColumns = 'document.store_id, document.type collate "C", posted.term collate "C", document.id'

const withTerms = `
  cross join lateral (
    select ${termOf('one.word')} as term from unnest(string_to_array(document.words, ' ')) one (word)
    union all select '#' || to_hex(one.key) from unnest(document.keys) one (key)
  ) posted where not document.deleted`

/** Long numbers are ids, which are matched only from their start. */
const withWords = `cross join unnest(string_to_array(document.words, ' ')) one (word)
  where not document.deleted and length(one.word) >= 3 and one.word !~ '^[0-9]{15,}$'`
