import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { type DatabaseHost, formatDatabaseUrl, formatHosts, parseDatabaseUrl } from '../config/index.ts'
import type { Logger } from '../log/index.ts'
import { ClosableClient } from './closable-client.ts'
import { expectUsable, findServer, type Target, type Timeline } from './find-server.ts'
import { isPoolExhausted, UnsuitableServerError } from './postgres-errors.ts'

/**
 * The servers of a database. `pg` supports one host; if the URL lists several or has `target_session_attrs`, pools connect to
 * the host that `findServer` chooses. Every new connection is checked as well, since a stale read, such as of a revoked token,
 * is worse than a failure.
 *
 * The chosen host is used until a connection fails or is lost, a statement times out, or the server rejects a write as
 * read-only. Then the servers are searched again; if another one is chosen, all connections to the previous one are closed.
 *
 * With one host and no `target_session_attrs`, none of this applies.
 */
export function createServers({ url, connectMs, log, ...options }: ServersOptions): Servers {
  const { target: chosen, ...database } = parseDatabaseUrl(url)
  const { hosts } = database
  const target = chosen ?? options.target ?? (hosts.length > 1 ? 'read-write' : 'any')
  const urlOf = (host: DatabaseHost) => formatDatabaseUrl({ ...database, hosts: [host], target: undefined })
  const firstHost = hosts[0] ?? failWithoutHost()
  const isFixed = hosts.length === 1 && target === 'any'

  const clients = new Set<ServerClient>()
  let current = isFixed ? firstHost : undefined
  let newest: Timeline | undefined
  let isSuspect = !isFixed
  let searchedAt = Number.NEGATIVE_INFINITY
  let searching: Promise<void> | undefined

  class ServerClient extends ClosableClient {
    readonly server: DatabaseHost
    constructor(config?: pg.ClientConfig) {
      const server = current ?? firstHost
      super({ ...config, connectionString: urlOf(server) })
      this.server = server
      clients.add(this)
      // A listener is required: without one, losing the connection would crash the process.
      this.on('error', () => suspect(this))
      this.once('end', () => clients.delete(this))
    }
  }

  async function find(): Promise<void> {
    if (!isSuspect && !searching) return
    searching ??= search().finally(() => {
      searching = undefined
    })
    await searching
  }

  async function search(): Promise<void> {
    await sleep(Math.max(0, searchedAt + searchEveryMs - performance.now()))
    searchedAt = performance.now()
    // A failure from now on requires another search.
    isSuspect = false
    try {
      const found = await findServer({ hosts, target, current, newest, createClient })
      newest = found.timeline ?? newest
      if (found.host !== current) moveTo(found.host)
    } catch (error) {
      isSuspect = true
      throw error
    }
  }

  function createClient(host: DatabaseHost): ClosableClient {
    const limits = { connectionTimeoutMillis: connectMs / 2, query_timeout: connectMs / 2 }
    return new ClosableClient({ connectionString: urlOf(host), ...limits })
  }

  function moveTo(host: DatabaseHost): void {
    const address = formatHosts({ hosts: [host] })
    if (current) log.warn({ address, previous: formatHosts({ hosts: [current] }) }, 'postgres server changed')
    current = host
    for (const client of clients) if (client.server !== host) client.close()
  }

  function suspect({ server = current, isClosed = false }: Partial<Pick<ServerClient, 'server' | 'isClosed'>>): void {
    if (isFixed || isClosed || server !== current) return
    isSuspect = true
    find().catch(() => {})
  }

  async function admit(client: ServerClient): Promise<void> {
    const timer = setTimeout(() => client.close(), connectMs)
    try {
      await expectUsable(client, target)
      // The server may have changed in the meantime.
      if (client.server !== current) throw new UnsuitableServerError('is no longer used')
    } catch (error) {
      suspect({ server: client.server })
      client.close()
      throw error
    } finally {
      clearTimeout(timer)
    }
  }

  return {
    createPool(config) {
      const pool = new pg.Pool({
        ...config,
        Client: ServerClient,
        ...(!isFixed && { onConnect: (client: pg.ClientBase) => admit(client as ServerClient) }),
      })
      pool.on('error', (error) => log.warn({ err: error }, 'idle postgres connection lost'))
      pool.on('release', (error: unknown, client: pg.ClientBase) => {
        if (error instanceof Error) suspect(client as ServerClient)
      })
      return {
        pool,
        async connect() {
          // Open connections are used without a search: it could fail where they do not, such as when there are too many clients.
          if (pool.idleCount === 0 && pool.totalCount < pool.options.max) await find()
          try {
            return (await pool.connect()) as ServerConnection
          } catch (error) {
            if (!isPoolExhausted(error)) suspect({})
            throw error
          }
        },
      }
    },
  }
}

function failWithoutHost(): never {
  throw new Error('The URL has no host.')
}

/**
 * Runs `work` with a separate connection to a server that the URL allows; see `createServers`. The connection is closed
 * afterwards, at the latest a second later, even if the server no longer responds.
 *
 * @param options.connectMs how long each step of connecting may take: finding the server, connecting, checking it
 * @param options.statementMs how long a statement may take. Default: unlimited, for migrations
 */
export async function withClient<T>(
  { url, connectMs, statementMs, ...config }: ClientOptions,
  work: (client: pg.ClientBase) => Promise<T>,
): Promise<T> {
  const { pool, connect } = createServers({ url, connectMs, log: silent }).createPool({
    ...config,
    max: 1,
    connectionTimeoutMillis: connectMs,
    ...(statementMs && { query_timeout: statementMs }),
  })
  const client = await connect()
  try {
    return await work(client)
  } finally {
    const timer = setTimeout(() => client.close(), closeMs)
    await client.end()
    clearTimeout(timer)
    client.release()
    await pool.end()
  }
}

const closeMs = 1000

const silent = { warn: () => {} }

/** Bounds what the search costs while no server is usable, or while many statements time out. */
const searchEveryMs = 100

interface ServersOptions {
  url: string
  /** A server that takes longer to connect is not used. Half of it bounds a search. */
  connectMs: number
  /** Which servers to use if the URL does not specify it. Default: `read-write` if there are several. */
  target?: Target
  log: Pick<Logger, 'warn'>
}

interface ClientOptions {
  url: string
  connectMs: number
  statementMs?: number
  application_name?: string
  pipeline?: boolean
}

interface Servers {
  /** @param config without a server */
  createPool(config: pg.PoolConfig): ServerPool
}

export interface ServerPool {
  /** For its state and for ending it. */
  readonly pool: pg.Pool
  /**
   * Takes a connection, as `pg.Pool.connect`. Release it with an `Error` if it broke: its server may have been replaced.
   */
  connect(): Promise<ServerConnection>
}

/** A connection of a pool. */
export type ServerConnection = pg.PoolClient & Pick<ClosableClient, 'close' | 'end'>
