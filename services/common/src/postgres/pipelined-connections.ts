import pg from 'pg'
import type { Sql } from 'sql-template-tag'
import type { Logger } from '../log/index.ts'
import { namedStatement } from './named-statement.ts'
import { breaksConnection, translateError } from './postgres-errors.ts'

/**
 * Sends single statements over a few long-lived connections, each of which carries many at a time (a third less CPU
 * than a pool connection per statement). Statements on one connection answer in order, so a slow one holds up those
 * behind it: a lane without an answer for `slowMs` gets no more statements, and another lane is opened instead.
 *
 * A lane that breaks fails the statements on it and is replaced by the next statement.
 */
export function createPipelinedConnections(config: pg.ClientConfig, log: Logger): PipelinedConnections {
  const lanes: Lane[] = []
  let closed = false

  function pickLane(): Lane {
    const now = performance.now()
    let best: Lane | undefined
    for (const lane of lanes) {
      if (isSlow(lane, now) || now > lane.retireAt) continue
      if (!best || lane.pending < best.pending) best = lane
    }
    const enough = best && (best.pending === 0 || lanes.length >= usualLanes)
    if (best && enough) return best
    if (lanes.length < maxLanes) return openLane()
    return best ?? leastPending(lanes)
  }

  function openLane(): Lane {
    const client = new pg.Client(config)
    const now = performance.now()
    const lane: Lane = { client, pending: 0, progressAt: now, retireAt: now + lifetimeMs, connected: client.connect() }
    lanes.push(lane)
    client.on('error', (error) => {
      remove(lane)
      log.warn({ err: error }, 'a database connection was lost')
    })
    client.on('end', () => remove(lane))
    lane.connected.catch(() => remove(lane))
    return lane
  }

  function remove(lane: Lane): void {
    const index = lanes.indexOf(lane)
    if (index >= 0) lanes.splice(index, 1)
  }

  function closeLane(lane: Lane): void {
    remove(lane)
    lane.client.end().catch(() => {})
  }

  return {
    async query<Row extends object>(statement: Sql): Promise<Row[]> {
      if (closed) throw translateError(new Error('Client was closed and is not queryable'))
      const lane = pickLane()
      if (lane.pending === 0) lane.progressAt = performance.now()
      lane.pending += 1
      try {
        await lane.connected
        const { rows } = await lane.client.query<Row>(namedStatement(statement))
        return rows
      } catch (error) {
        if (breaksConnection(error)) closeLane(lane)
        throw translateError(error)
      } finally {
        lane.pending -= 1
        lane.progressAt = performance.now()
        if (lane.pending === 0 && lane.progressAt > lane.retireAt) closeLane(lane)
      }
    },
    async close() {
      closed = true
      await Promise.all(lanes.map(({ client }) => client.end().catch(() => {})))
    },
  }
}

const usualLanes = 2
const maxLanes = 4
const slowMs = 25
/** After half an hour a lane is replaced, so that a rotated password or a moved primary is noticed. */
const lifetimeMs = 1_800_000

interface PipelinedConnections {
  query<Row extends object>(statement: Sql): Promise<Row[]>
  close(): Promise<void>
}

interface Lane {
  client: pg.Client
  /** Statements sent and not answered. */
  pending: number
  /** When it last answered, or got its first statement after a rest. */
  progressAt: number
  /** From when on it gets no more statements. */
  retireAt: number
  connected: Promise<unknown>
}

function isSlow(lane: Lane, now: number): boolean {
  return lane.pending > 0 && now - lane.progressAt > slowMs
}

function leastPending(lanes: Lane[]): Lane {
  return lanes.reduce((best, lane) => (lane.pending < best.pending ? lane : best))
}
