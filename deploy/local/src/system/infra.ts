import { join } from 'node:path'
import { type RunningServer, startNats, startPostgres, startRedis } from '../infra/index.ts'
import type { Child } from '../processes/child.ts'
import type { Scope } from '../run-command.ts'
import { checkNats, checkPostgres, checkRedis } from './reachable.ts'
import type { Settings } from './settings.ts'

/** Postgres, NATS and Redis: those that the settings name, once they answer, else our own with their data in `place`. */
export async function startInfra(scope: Scope, settings: InfraSettings, place: InfraPlace): Promise<Infra> {
  const { step } = scope.progress
  const { databaseUrl, natsUrl, redisUrl } = settings
  const { data, logs, fast = false } = place
  if (databaseUrl) await step('Postgres of DATABASE_URL', () => checkPostgres('DATABASE_URL', databaseUrl))
  if (natsUrl) await step('NATS of NATS_URL', () => checkNats('NATS_URL', natsUrl))
  if (redisUrl) await step('Redis of REDIS_URL', () => checkRedis('REDIS_URL', redisUrl))

  const servers: Infra['servers'] = []
  async function own(name: string, start: (logFile: string) => Promise<RunningServer>): Promise<string> {
    const server = await step(name, () => start(join(logs, `${name.toLowerCase()}.log`)))
    scope.onEnd(server.stop)
    servers.push({ name, exited: server.exited, logFile: server.logFile })
    return server.url
  }
  const [ownDatabaseUrl, ownNatsUrl, ownRedisUrl] = await Promise.all([
    databaseUrl ?? own('Postgres', (logFile) => startPostgres({ dataDir: join(data, 'postgres'), logFile, fast })),
    natsUrl ?? own('NATS', (logFile) => startNats({ dataDir: join(data, 'nats'), logFile })),
    redisUrl ?? own('Redis', (logFile) => startRedis({ dir: join(data, 'redis'), logFile })),
  ])
  return { databaseUrl: ownDatabaseUrl, natsUrl: ownNatsUrl, redisUrl: ownRedisUrl, servers }
}

type InfraSettings = Pick<Settings, 'databaseUrl' | 'natsUrl' | 'redisUrl'>

interface InfraPlace {
  data: string
  logs: string
  /** For tests: see `startPostgres`. */
  fast?: boolean
}

export interface Infra {
  databaseUrl: string
  natsUrl: string
  redisUrl: string
  /** Our own ones, to be watched. */
  servers: (Pick<Child, 'name' | 'logFile'> & { exited: Promise<unknown> })[]
}
