import type { Database, Queryable } from '@storekeep/common/postgres'
import sql from 'sql-template-tag'
import { documentWrite } from '../../documents/db/document-repository.ts'
import type { DocumentRow } from '../../documents/db/schema.ts'
import { leaseEnd } from './generation-repository.ts'

/**
 * Acquires or renews the worker's lease of the running generation. Undefined while another worker holds it or none is running. A
 * lease expires after 15 s.
 */
export async function leaseRunning(db: Queryable, worker: string): Promise<string | undefined> {
  const [row] = await db.query<{ id: string }>(sql`
    update generation set leased_by = ${worker}, leased_until = ${leaseEnd}
    where state = 'running' and (leased_by = ${worker} or leased_until is null or leased_until < now())
    returning id`)
  return row?.id
}

/** Releases the lease, so that another worker need not wait for its expiry. */
export async function releaseLease(db: Queryable, worker: string): Promise<void> {
  await db.query(sql`
    update generation set leased_until = now() where state = 'running' and leased_by = ${worker}`)
}

/**
 * Writes a page of an export together with the progress of the rebuild.
 * @returns false when another worker has already written a page from this position
 */
export async function writePage(database: Database, page: ExportPage): Promise<boolean> {
  const { generation, aggregate, after, documents, isLast } = page
  const end = documents.at(-1) ?? after
  return await database.transaction(async (tx) => {
    const advanced = await tx.query(sql`
      update generation_part set
        after_store_id = ${end.storeId}, after_id = ${end.id}, filled = filled + ${documents.length},
        is_filled = ${isLast}
      where generation = ${generation} and aggregate = ${aggregate} and not is_filled
        and after_store_id = ${after.storeId} and after_id = ${after.id}
        and exists (select from generation where id = ${generation} and state = 'running')
      returning 1`)
    if (advanced.length === 0) return false
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

export async function recordVerification(
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
 * Records why a rebuild makes no progress.
 * @returns whether the problem is new, and the number of consecutive failures of the rebuild itself
 */
export async function recordProblem(
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
  /** The position after which the page starts. */
  after: { storeId: string; id: string }
  documents: readonly DocumentRow[]
  isLast: boolean
}
