import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { type RunningServer, startNats, startPostgres, startRedis } from '@storekeep/local/infra'

export type ServerKind = 'postgres' | 'nats' | 'redis'

/**
 * The three servers that a system runs on: those of the test run (TEST_DATABASE_ADMIN_URL, TEST_NATS_URL,
 * TEST_REDIS_URL), or servers of its own where a test is going to break them, or where the run has none.
 */
export async function openInfra(directory: string, own: readonly ServerKind[]): Promise<Infra> {
  const breakable: Partial<Record<ServerKind, BreakableServer>> = {}
  async function open(kind: ServerKind): Promise<string> {
    const shared = process.env[sharedAddress[kind]]
    if (shared && !own.includes(kind)) return shared
    const server = await startBreakable(kind, directory)
    breakable[kind] = server
    return server.url
  }
  const [adminUrl, natsUrl, redisUrl] = await Promise.all([open('postgres'), open('nats'), open('redis')])
  return {
    adminUrl,
    natsUrl,
    redisUrl,
    server: (kind) => {
      const server = breakable[kind]
      if (!server) throw new Error(`${kind} is shared with other tests and must not be broken; ask for an own one.`)
      return server
    },
    close: async () => {
      await Promise.all(Object.values(breakable).map((server) => server.stop()))
    },
  }
}

async function startBreakable(kind: ServerKind, directory: string): Promise<BreakableServer> {
  const home = join(directory, kind)
  mkdirSync(home, { recursive: true })
  let running = await start[kind](home)
  const { url, port } = running
  return {
    url,
    kill: async (signal) => {
      const ended = running.exited
      running.kill(signal)
      if (signal === 'SIGKILL') await ended
    },
    restart: async () => {
      await running.stop()
      running = await start[kind](home, port)
    },
    stop: () => running.stop(),
  }
}

const sharedAddress: Record<ServerKind, string> = {
  postgres: 'TEST_DATABASE_ADMIN_URL',
  nats: 'TEST_NATS_URL',
  redis: 'TEST_REDIS_URL',
}

const start: Record<ServerKind, (home: string, port?: number) => Promise<RunningServer>> = {
  postgres: (home, port) => startPostgres({ dataDir: join(home, 'cluster'), port, fast: true }),
  nats: (home, port) => startNats({ dataDir: home, port }),
  redis: (home, port) => startRedis({ dir: home, port }),
}

export interface Infra {
  /** Of a role that may create databases and roles. */
  adminUrl: string
  natsUrl: string
  redisUrl: string
  /** The server of that kind, to break it; throws when the system shares it with others. */
  server(kind: ServerKind): BreakableServer
  close(): Promise<void>
}

/** A server of our own that a test may break. */
export interface BreakableServer {
  readonly url: string
  /** SIGKILL (waits for the end), SIGSTOP, SIGCONT. */
  kill(signal: NodeJS.Signals): Promise<void>
  /** Starts it anew on the same port and folder; stops it first when it still runs. */
  restart(): Promise<void>
  stop(): Promise<void>
}
