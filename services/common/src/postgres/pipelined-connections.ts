import type { Sql } from 'sql-template-tag'
import { errors } from '../errors/index.ts'
import type { Logger } from '../log/index.ts'
import { namedStatement } from './named-statement.ts'
import { errorIfBroken, translateError } from './postgres-errors.ts'
import type { ServerConnection, ServerPool } from './servers.ts'
import type { TimeLimitWatch } from './time-limits.ts'

/**
 * Sends single statements over a few long-lived pipelined connections, which takes a third less CPU than a pool connection
 * per statement. Statements on a connection complete in order, so a slow one delays those behind it: a connection without a
 * result for `slowMs` gets no new statements, and another one is opened.
 *
 * If a connection breaks, its statements fail; the next statement opens a new one.
 */
export function createPipelinedConnections(
  { pool, connect }: ServerPool,
  { log, watch }: { log: Logger; watch: TimeLimitWatch },
): PipelinedConnections {
  const connections = new Set<Connection>()
  let closed = false

  function pickConnection(): Connection {
    const now = performance.now()
    let best: Connection | undefined
    for (const connection of connections) {
      if (isSlow(connection, now) || now > connection.retireAt) continue
      if (!best || connection.pending < best.pending) best = connection
    }
    const enough = best && (best.pending === 0 || connections.size >= usualConnections)
    if (best && enough) return best
    if (connections.size < pool.options.max) return openConnection()
    return best ?? leastPending(connections)
  }

  function openConnection(): Connection {
    const now = performance.now()
    const connection: Connection = { pending: 0, progressAt: now, retireAt: now + lifetimeMs, opened: connect() }
    connections.add(connection)
    connection.opened
      .then(async (client) => {
        client.on('error', (error) => {
          log.warn({ err: error }, 'postgres connection lost')
          closeConnection(connection, error)
        })
        // Statements do not wait for it. If it fails, so do they.
        await watch.check(client)
      })
      .catch((error: unknown) => closeConnection(connection, errorIfBroken(error)))
    return connection
  }

  /** Returns it to the pool, which closes it after its statements. */
  function closeConnection(connection: Connection, broken: Error | true = true): void {
    if (connections.delete(connection)) connection.opened.then((client) => client.release(broken)).catch(() => {})
  }

  return {
    async query<Row extends object>(statement: Sql): Promise<Row[]> {
      if (closed) throw errors.unavailable(new Error('The connection is closed.'))
      const connection = pickConnection()
      if (connection.pending === 0) connection.progressAt = performance.now()
      connection.pending += 1
      try {
        const client = await connection.opened
        return (await client.query<Row>(namedStatement(statement))).rows
      } catch (error) {
        const broken = errorIfBroken(error)
        if (broken) closeConnection(connection, broken)
        throw translateError(error)
      } finally {
        connection.pending -= 1
        connection.progressAt = performance.now()
        if (connection.pending === 0 && (closed || connection.progressAt > connection.retireAt)) {
          closeConnection(connection)
        }
      }
    },
    close() {
      closed = true
      for (const connection of connections) if (connection.pending === 0) closeConnection(connection)
    },
  }
}

const usualConnections = 2
const slowMs = 25
/** Connections are replaced after half an hour, so that a rotated password or a moved primary takes effect. */
const lifetimeMs = 1_800_000

interface PipelinedConnections {
  query<Row extends object>(statement: Sql): Promise<Row[]>
  /** Returns the connections to the pool, each after its running statements. */
  close(): void
}

interface Connection {
  opened: Promise<ServerConnection>
  /** Number of statements in flight. */
  pending: number
  /** When it last returned a result, or received a statement while idle. */
  progressAt: number
  /** When it stops receiving new statements. */
  retireAt: number
}

function isSlow(connection: Connection, now: number): boolean {
  return connection.pending > 0 && now - connection.progressAt > slowMs
}

function leastPending(connections: ReadonlySet<Connection>): Connection {
  return [...connections].reduce((best, connection) => (connection.pending < best.pending ? connection : best))
}
