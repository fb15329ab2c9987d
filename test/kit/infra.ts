import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { type RunningServer, startNats, startPostgres, startRedis, urlOfUser } from '@storekeep/local/infra'
import { openStandby, type Replication, type Standby } from './standby.ts'

export type ServerKind = 'postgres' | 'nats' | 'redis'

/**
 * Provides the servers of a system: the test run's (TEST_DATABASE_ADMIN_URL, TEST_NATS_URL, TEST_REDIS_URL), or
 * new ones for the kinds in `own` and where the run has none.
 */
export async function openInfra(
  directory: string,
  own: readonly ServerKind[],
  replication?: Replication,
): Promise<Infra> {
  const breakable: Partial<Record<ServerKind, BreakableServer>> = {}
  async function open(kind: ServerKind): Promise<string> {
    const shared = process.env[sharedAddress[kind]]
    if (shared && !own.includes(kind)) return shared
    const server = await startBreakable(kind, directory)
    breakable[kind] = server
    return server.url
  }
  const [primaryUrl, natsUrl, redisUrl] = await Promise.all([open('postgres'), open('nats'), open('redis')])
  const standby = replication && (await openStandby(primaryUrl, directory, replication))
  /** Your own servers do not know the users of the components. */
  function urlOf(kind: 'nats' | 'redis', url: string, component: string): string {
    const hasUsers = breakable[kind] !== undefined || (process.env.TEST_SERVER_USERS ?? '').toLowerCase().includes(kind)
    return hasUsers ? urlOfUser(url, component) : url
  }
  return {
    adminUrl: standby?.listUrl ?? primaryUrl,
    standby,
    natsUrl,
    redisUrl,
    natsUrlOf: (component) => urlOf('nats', natsUrl, component),
    redisUrlOf: (component) => urlOf('redis', redisUrl, component),
    server: (kind) => {
      const server = breakable[kind]
      if (!server)
        throw new Error(
          `${kind} is shared with other tests. List it in the option "own" to get a server that the test can break.`,
        )
      return server
    },
    close: async () => {
      await standby?.stop()
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
  /** Connects as a role that can create databases and roles. Lists the standby, too. */
  adminUrl: string
  standby: Standby | undefined
  natsUrl: string
  redisUrl: string
  /** URL with the user of a component, which has its rights. */
  natsUrlOf(component: string): string
  redisUrlOf(component: string): string
  /** A server to break. Throws when the system shares it with others. */
  server(kind: ServerKind): BreakableServer
  close(): Promise<void>
}

/** A server that a test can break. */
export interface BreakableServer {
  readonly url: string
  /** SIGKILL (resolves after the exit), SIGSTOP or SIGCONT. */
  kill(signal: NodeJS.Signals): Promise<void>
  /** Starts it again on the same port and data, after stopping it if it still runs. */
  restart(): Promise<void>
  stop(): Promise<void>
}
