import type { Sql } from 'sql-template-tag'
import { batchByTurn } from '../batch/index.ts'
import { traceStatement } from './statement-span.ts'
import type { Queryable } from './transaction.ts'

/**
 * Creates a function that finds a record by store and id. Records that are requested within one turn of the event loop,
 * of any store, are read by one statement, which costs both sides about as much as reading one of them alone.
 *
 * Each read starts after it was requested, as a separate statement would, so it sees every change that was committed before.
 * If the statement fails, each caller gets its error. See `batchByTurn` for the rest.
 *
 * @param database the statements run outside of transactions
 * @param statement selects the records with these pairs of store and id, in any order; at least the columns `id` and
 * `storeId`. The ids must be flake ids, since an invalid one would fail the reads of others
 */
export function batchReads<Row extends Keyed>(
  database: Queryable,
  statement: (storeIds: readonly string[], ids: readonly string[]) => Sql,
): FindById<Row> {
  const read = batchByTurn<Keyed, Row | undefined>(async (keys) => {
    const rows = await database.query<Row>(
      statement(
        keys.map(({ storeId }) => storeId),
        keys.map(({ id }) => id),
      ),
    )
    const found = new Map(rows.map((row) => [keyOf(row), row]))
    return keys.map((key) => found.get(keyOf(key)))
  }, maxReads)
  const described = statement([], [])
  return (storeId, id) => traceStatement(described, () => read({ storeId, id }))
}

/** @returns undefined if the store has no such record */
export type FindById<Row> = (storeId: string, id: string) => Promise<Row | undefined>

interface Keyed {
  readonly id: string
  readonly storeId: string
}

function keyOf({ storeId, id }: Keyed): string {
  return `${storeId}:${id}`
}

/** Bounds how long one statement delays those behind it on its connection. */
const maxReads = 100
