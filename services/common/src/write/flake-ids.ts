import sql from 'sql-template-tag'
import { expectRow, type Queryable } from '../postgres/index.ts'

/** Creates flake ids in the process, so that a record and its event can be written without asking Postgres for an id. */
export interface FlakeIds {
  /**
   * A new id. Ids are strictly increasing per process, roughly ordered across processes (± 1 s), and contain the time of the
   * database (decision 0023).
   * @throws ServiceFault `service-unavailable` if a new range is needed and the database is unavailable
   */
  next(): Promise<string>
}

/**
 * Creates the ids of a process from ranges that it reserves in Postgres for a minute each. Uniqueness follows from the ranges
 * alone: a process that was suspended, or whose clock is wrong, still creates only ids of its range. If the clock of the
 * database falls back, the ids of a process continue from its last one, as with `flake_id()`.
 *
 * After a promotion, Postgres creates the ids until every range that the former primary may have given out has ended.
 */
export function createFlakeIds(database: Queryable): FlakeIds {
  let range: Range | undefined
  let reserving: Promise<Range | undefined> | undefined
  let retryAt = Number.NEGATIVE_INFINITY
  let last = 0n

  function nextIn({ lowBits, from, until, startedAt }: Range): string | undefined {
    const now = BigInt(from + Math.floor(performance.now() - startedAt))
    // The counter continues from the last id, and so borrows from the next millisecond when this one is used up.
    const ticks = now << incrementBits > last ? now << incrementBits : last + 1n
    const time = ticks >> incrementBits
    if (time >= until) return undefined
    last = ticks
    return String((time << 22n) | lowBits | (ticks & maxIncrement))
  }

  async function reserveOnce(): Promise<Range | undefined> {
    reserving ??= reserve(database, Number((last >> incrementBits) + 1n)).finally(() => {
      reserving = undefined
    })
    const reserved = await reserving
    if (reserved) range = reserved
    else retryAt = performance.now() + retryMs
    return reserved
  }

  return {
    async next() {
      const known = range && nextIn(range)
      if (known !== undefined) return known
      const reserved = performance.now() < retryAt ? undefined : await reserveOnce()
      return (reserved && nextIn(reserved)) ?? (await idFromDatabase(database))
    },
  }
}

/** The bits of the increment that number the ids of a range within a millisecond. */
const incrementBits = 6n
const maxIncrement = (1n << incrementBits) - 1n

/** How long a range lasts, in milliseconds of ids. */
const rangeMs = 60_000
/** How long no range is reserved after a promotion. Longer than a range, because the clocks of the two servers may differ. */
const quarantineMs = 2 * rangeMs
/** Until a process without a range tries again to reserve one. */
const retryMs = 1000

/**
 * Reserves a range that no other process uses. Ranges that were last reserved on another timeline of the log first become
 * unavailable for a while: a standby that lagged when it was promoted does not know the last reservations.
 *
 * @param earliest the range starts at this time, or now if that is later
 * @returns undefined after a promotion, and if more processes than there are ranges have reserved a range within a minute
 */
async function reserve(database: Queryable, earliest: number): Promise<Range | undefined> {
  const [row] = await database.query<{ lowBits: number; from: string }>(sql`
    with clock as materialized (
      select greatest(${earliest}, floor(extract(epoch from clock_timestamp()) * 1000)::bigint - 1645568542000) as now_ms,
        flake_timeline() as timeline
    ), unknown as (
      update flake_lease set timeline = clock.timeline, reserved_until = greatest(reserved_until, now_ms + ${quarantineMs})
      from clock where flake_lease.timeline is distinct from clock.timeline
    ), free as (
      select low_bits, now_ms from flake_lease join clock using (timeline) where reserved_until <= now_ms
      order by low_bits limit 1 for update of flake_lease skip locked
    )
    update flake_lease set reserved_until = now_ms + ${rangeMs} from free where flake_lease.low_bits = free.low_bits
    returning free.low_bits as "lowBits", now_ms as "from"`)
  if (!row) return undefined
  const from = Number(row.from)
  return { lowBits: BigInt(row.lowBits), from, until: BigInt(from + rangeMs), startedAt: performance.now() }
}

async function idFromDatabase(database: Queryable): Promise<string> {
  const rows = await database.query<{ id: string }>(sql`select flake_id() as id`)
  return expectRow(rows).id
}

/** The ids with the same low bits from one time to another, in milliseconds since the epoch of flake ids. */
interface Range {
  /** Node number and number of the range, as in the table. */
  lowBits: bigint
  from: number
  until: bigint
  /** On the monotonic clock, when the time of the database was `from`. */
  startedAt: number
}
