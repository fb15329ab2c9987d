import type { Database, Queryable } from '@storekeep/common/postgres'
import sql from 'sql-template-tag'
import { documentWrite } from './document-repository.ts'
import type { DocumentRow } from './schema.ts'

/**
 * Takes the running generation for the worker, or keeps it. Undefined while another worker has it, or none is running.
 * A worker that gives no sign of life for 15 s has lost it.
 */
export async function leaseRunning(db: Queryable, worker: string): Promise<string | undefined> {
  const [row] = await db.query<{ id: string }>(sql`
    update generation set leased_by = ${worker}, leased_until = now() + interval '15 seconds'
    where state = 'running' and (leased_by = ${worker} or leased_until is null or leased_until < now())
    returning id`)
  return row?.id
}

/** Lets another worker have it at once. */
export async function endLease(db: Queryable, worker: string): Promise<void> {
  await db.query(sql`update generation set leased_until = null where state = 'running' and leased_by = ${worker}`)
}

/**
 * Writes a page of an export and how far it has come, unless somebody else did so meanwhile.
 * @returns false when the page was not at the place that the rebuild had come to
 */
export async function writePage(database: Database, page: ExportPage): Promise<boolean> {
  const { generation, aggregate, after, documents, isLast } = page
  const end = documents.at(-1) ?? after
  return await database.transaction(async (tx) => {
    const moved = await tx.query(sql`
      update generation_part set
        after_store_id = ${end.storeId}, after_id = ${end.id}, filled = filled + ${documents.length},
        is_filled = ${isLast}
      where generation = ${generation} and aggregate = ${aggregate} and not is_filled
        and after_store_id = ${after.storeId} and after_id = ${after.id}
        and exists (select from generation where id = ${generation} and state = 'running')
      returning 1`)
    if (moved.length === 0) return false
    if (documents.length > 0) tx.enqueueBeforeCommit(documentWrite(generation, documents))
    tx.enqueueBeforeCommit(
      sql`update generation set failures = 0, problem = null where id = ${generation} and failures > 0`,
    )
    return true
  })
}

export async function markFilled(db: Queryable, generation: string): Promise<void> {
  await db.query(sql`update generation set filled_at = coalesce(filled_at, now()) where id = ${generation}`)
}

export async function noteChecked(
  db: Queryable,
  generation: string,
  aggregate: string,
  { checked, drifted }: { checked: number; drifted: number },
): Promise<void> {
  await db.query(sql`
    update generation_part set checked = ${checked}, drifted = ${drifted}
    where generation = ${generation} and aggregate = ${aggregate}`)
}

/**
 * Notes what keeps a rebuild from going on.
 * @returns whether that is news, and how often in a row it was the rebuild's own failure
 */
export async function noteProblem(
  db: Queryable,
  generation: string,
  problem: string,
  options: { isOwnFailure: boolean },
): Promise<{ isNew: boolean; failures: number }> {
  const [row] = await db.query<{ isNew: boolean; failures: number }>(sql`
    with before as (select problem from generation where id = ${generation})
    update generation set problem = ${problem}, failures = failures + ${options.isOwnFailure ? 1 : 0}
    where id = ${generation} and state = 'running'
    returning failures, (select problem from before) is distinct from ${problem} as "isNew"`)
  return row ?? { isNew: false, failures: 0 }
}

export interface ExportPage {
  generation: string
  aggregate: string
  /** Where the page begins. */
  after: { storeId: string; id: string }
  documents: readonly DocumentRow[]
  isLast: boolean
}
