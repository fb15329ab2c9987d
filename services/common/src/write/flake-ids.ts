import sql from 'sql-template-tag'
import type { Queryable } from '../postgres/index.ts'

/** Creates flake ids in the process, so that a record and its event can be written without asking Postgres for an id. */
export interface FlakeIds {
  /**
   * A new id. Ids of a process strictly increase and contain the time of the database; those of several processes are in
   * order of creation to within about a second (decision 0023).
   * @throws ServiceFault `service-unavailable` if a new range is needed and the database is unavailable
   */
  next(): Promise<string>
}

/**
 * Creates the ids of a process from ranges that it reserves in Postgres for a minute each. Uniqueness follows from the ranges
 * alone: a process that was suspended, or whose clock is wrong, still creates only ids of its own range.
 */
export function createFlakeIds(database: Queryable): FlakeIds {
  let range: Range | undefined
  let reserving: Promise<Range | undefined> | undefined
  let last = 0n

  function nextIn({ node, from, until, startedAt }: Range): string | undefined {
    const now = BigInt(from + Math.floor(performance.now() - startedAt))
    // The counter continues from the last id, and so borrows from the next millisecond when this one is used up.
    const ticks = now << 12n > last ? now << 12n : last + 1n
    if (ticks >> 12n >= until) return undefined
    last = ticks
    return String(((ticks >> 12n) << 22n) | (node << 12n) | (ticks & 4095n))
  }

  async function reserveOnce(): Promise<Range | undefined> {
    reserving ??= reserve(database).finally(() => {
      reserving = undefined
    })
    const reserved = await reserving
    if (reserved) range = reserved
    return reserved
  }

  return {
    async next() {
      const known = range && nextIn(range)
      if (known !== undefined) return known
      const reserved = await reserveOnce()
      return (reserved && nextIn(reserved)) ?? (await idFromDatabase(database))
    },
  }
}

/** How long a range lasts, in milliseconds of ids. */
const rangeMs = 60_000

/** @returns undefined if more processes than there are node numbers have reserved a range within a minute */
async function reserve(database: Queryable): Promise<Range | undefined> {
  const [row] = await database.query<{ node: number; from: string }>(sql`
    with clock as materialized (
      select floor(extract(epoch from clock_timestamp()) * 1000)::bigint - 1645568542000 as now_ms
    ), free as (
      select node, now_ms from flake_lease, clock where reserved_until <= now_ms
      order by node limit 1 for update of flake_lease skip locked
    )
    update flake_lease set reserved_until = now_ms + ${rangeMs} from free where flake_lease.node = free.node
    returning free.node, now_ms as "from"`)
  if (!row) return undefined
  const from = Number(row.from)
  return { node: BigInt(row.node), from, until: BigInt(from + rangeMs), startedAt: performance.now() }
}

async function idFromDatabase(database: Queryable): Promise<string> {
  const [row] = await database.query<{ id: string }>(sql`select flake_id() as id`)
  if (!row) throw new Error('flake_id() returned no row')
  return row.id
}

/** The ids of a node from one time to another, in milliseconds since the epoch of flake ids. */
interface Range {
  node: bigint
  from: number
  until: bigint
  /** On the monotonic clock, when the time of the database was `from`. */
  startedAt: number
}
