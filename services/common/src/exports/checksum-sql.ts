import sql, { type Sql } from 'sql-template-tag'

/**
 * The columns `count` and `checksum` of a group of rows that have an id and a version. Whoever holds a copy sums it up
 * with the same words, and compares. MD5, since its bits are the same in every version of Postgres; XOR, so that the
 * order does not matter and sums of parts can be joined.
 */
export function sumColumns(): Sql {
  return sql`
    count(*) as count,
    coalesce(bit_xor(('x' || left(md5(id::text || ' ' || version::text), 16))::bit(64)::bigint), 0) as checksum`
}
