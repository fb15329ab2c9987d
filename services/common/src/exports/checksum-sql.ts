import sql, { type Sql } from 'sql-template-tag'

/**
 * SQL for the columns `count` and `checksum` of a group of rows with `id` and `version`. The holder of a copy computes
 * them the same way and compares. MD5 is the same in every version of Postgres; XOR is independent of the order and
 * allows partial sums to be combined.
 */
export function sumColumns(): Sql {
  return sql`
    count(*) as count,
    coalesce(bit_xor(('x' || left(md5(id::text || ' ' || version::text), 16))::bit(64)::bigint), 0) as checksum`
}
