import { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { type DatabaseHost, formatDatabaseUrl, formatHosts, parseDatabaseUrl } from '../config/index.ts'
import type { Logger } from '../log/index.ts'
import { streamOf } from './client-stream.ts'
import { expectUsable, findServer, type Target, type Timeline } from './find-server.ts'

/**
 * The servers of a database. `pg` supports one host; if the URL lists several or has `target_session_attrs`, connections are
 * made to the host that `findServer` chooses. Every new connection is checked as well, since a stale read, such as of a
 * revoked token, is worse than a failure.
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
  const [firstHost] = hosts
  if (!firstHost) throw new Error('The URL has no host.')
  const connectionString = urlOf(firstHost)
  if (hosts.length === 1 && target === 'any') return { connectionString, Client: pg.Client, suspect: () => {} }

  const clients = new Set<ServerClient>()
  let current: DatabaseHost | undefined
  let newest: Timeline | undefined
  let isSuspect = true
  let searchedAt = Number.NEGATIVE_INFINITY
  let searching: Promise<DatabaseHost> | undefined

  function find(): Promise<DatabaseHost> {
    if (current && !isSuspect) return Promise.resolve(current)
    searching ??= search().finally(() => {
      searching = undefined
    })
    return searching
  }

  async function search(): Promise<DatabaseHost> {
    await sleep(Math.max(0, searchedAt + searchEveryMs - performance.now()))
    searchedAt = performance.now()
    // A failure from now on requires another search.
    isSuspect = false
    try {
      const found = await findServer({ hosts, target, current, newest, maxMs: connectMs / 2, createClient })
      newest = found.timeline ?? newest
      if (found.host !== current) moveTo(found.host)
      return found.host
    } catch (error) {
      isSuspect = true
      throw error
    }
  }

  function createClient(host: DatabaseHost): pg.Client {
    const limits = { connectionTimeoutMillis: connectMs / 2, query_timeout: connectMs / 2 }
    return new pg.Client({ connectionString: urlOf(host), ...limits })
  }

  function moveTo(host: DatabaseHost): void {
    const address = formatHosts({ hosts: [host] })
    if (current) log.warn({ address, previous: formatHosts({ hosts: [current] }) }, 'postgres server changed')
    current = host
    for (const client of clients) client.closeUnless(host)
  }

  function suspect({ host, port }: pg.Client): void {
    if (current && (host !== current.host || port !== current.port)) return
    isSuspect = true
    find().catch(() => {})
  }

  class ServerClient extends pg.Client {
    readonly #socket: Socket
    constructor(config?: pg.ClientConfig) {
      const socket = new Socket()
      super({ ...config, stream: () => socket })
      this.#socket = socket
    }

    override connect(): Promise<pg.Client>
    override connect(callback: (error: Error | null, client?: pg.Client) => void): void
    override connect(callback?: (error: Error | null, client?: pg.Client) => void): Promise<pg.Client> | undefined {
      const connected = this.#connect()
      if (!callback) return connected
      connected.then(
        (client) => callback(null, client),
        (error: Error) => callback(error),
      )
      return undefined
    }

    async #connect(): Promise<pg.Client> {
      const { host, port } = await find()
      // The pool has given up.
      if (this.#socket.destroyed) throw new Error('timeout exceeded when trying to connect')
      Object.assign(this, { host, port })
      try {
        await super.connect()
        this.on('error', () => suspect(this))
        await expectUsable(this, target, connectMs)
      } catch (error) {
        suspect(this)
        void this.end().catch(() => {})
        throw error
      }
      clients.add(this)
      this.once('end', () => clients.delete(this))
      // The server may have changed in the meantime.
      if (current) this.closeUnless(current)
      return this
    }

    closeUnless({ host, port }: DatabaseHost): void {
      if (this.host === host && this.port === port) return
      this.#socket.destroy(new Error('Connection terminated: the server is no longer used'))
    }
  }

  return { connectionString, Client: ServerClient, suspect }
}

/**
 * Runs `work` with a connection outside of a pool, to a server that the URL allows; see `createServers`. The connection is
 * closed afterwards, at the latest a second later, even if the server no longer responds.
 *
 * @param options.connectMs how long each step of connecting may take: finding the server, connecting, checking it
 * @param options.statementMs how long a statement may take. Default: unlimited, for migrations
 */
export async function withClient<T>(
  { url, connectMs, statementMs, ...config }: ClientOptions,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const { Client, connectionString } = createServers({ url, connectMs, log: silent })
  const limits = { connectionTimeoutMillis: connectMs, ...(statementMs && { query_timeout: statementMs }) }
  const client = new Client({ ...config, ...limits, connectionString })
  client.on('error', () => {})
  await client.connect()
  try {
    return await work(client)
  } finally {
    await close(client)
  }
}

async function close(client: pg.Client): Promise<void> {
  const timer = setTimeout(() => streamOf(client)?.destroy(), closeMs)
  await client.end().catch(() => {})
  clearTimeout(timer)
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

export interface Servers {
  /** The options of `pg.Client` and `pg.Pool`. */
  connectionString: string
  Client: typeof pg.Client
  /** Call it when a connection had to be discarded: its server may have been replaced. Returns at once. */
  suspect(client: pg.Client): void
}
