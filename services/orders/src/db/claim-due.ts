import sql, { raw, type Sql } from 'sql-template-tag'

/**
 * Claims the due rows of a table for this replica, the oldest first. A claimed row is due again after a delay that doubles, up to
 * `maxSeconds`, unless its state changes.
 */
export function claimDue(table: string, columns: Sql, maxSeconds: Sql, now: Date, limit: number): Sql {
  return sql`
    with due as materialized (
      select store_id, id from ${raw(table)} where next_at <= ${now} order by next_at limit ${limit} for update skip locked
    )
    update ${raw(table)} set attempts = attempts + 1,
      next_at = ${now}::timestamptz + interval '1 second' * least(5 * power(2, least(attempts, 10)), ${maxSeconds})
    where (store_id, id) in (select store_id, id from due) returning ${columns}`
}
