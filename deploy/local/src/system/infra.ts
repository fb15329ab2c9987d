import { join } from 'node:path'
import { type RunningServer, startNats, startPostgres, startRedis } from '../infra/index.ts'
import type { Child } from '../processes/child.ts'
import type { Scope } from '../run-command.ts'
import { checkNats, checkPostgres, checkRedis } from './reachable.ts'
import type { Settings } from './settings.ts'

/** Starts Postgres, NATS and Redis with their data in `place`. Checks, instead, each server that the settings name. */
export async function startInfra(scope: Scope, settings: InfraSettings, place: InfraPlace): Promise<Infra> {
  const { step } = scope.progress
  const { databaseUrl, natsUrl, redisUrl } = settings
  const { data, logs, fast = false } = place
  if (databaseUrl) await step('Postgres at DATABASE_URL', () => checkPostgres('DATABASE_URL', databaseUrl))
  if (natsUrl) await step('NATS at NATS_URL', () => checkNats('NATS_URL', natsUrl))
  if (redisUrl) await step('Redis at REDIS_URL', () => checkRedis('REDIS_URL', redisUrl))

  const servers: Infra['servers'] = []
  async function start(name: string, run: (logFile: string) => Promise<RunningServer>): Promise<string> {
    const server = await step(name, () => run(join(logs, `${name.toLowerCase()}.log`)))
    scope.onEnd(server.stop)
    servers.push({ name, exited: server.exited, logFile: server.logFile })
    return server.url
  }
  const [startedDatabaseUrl, startedNatsUrl, startedRedisUrl] = await Promise.all([
    databaseUrl ?? start('Postgres', (logFile) => startPostgres({ dataDir: join(data, 'postgres'), logFile, fast })),
    natsUrl ?? start('NATS', (logFile) => startNats({ dataDir: join(data, 'nats'), logFile })),
    redisUrl ?? start('Redis', (logFile) => startRedis({ dir: join(data, 'redis'), logFile })),
  ])
  return { databaseUrl: startedDatabaseUrl, natsUrl: startedNatsUrl, redisUrl: startedRedisUrl, servers }
}

type InfraSettings = Pick<Settings, 'databaseUrl' | 'natsUrl' | 'redisUrl'>

interface InfraPlace {
  data: string
  logs: string
  /** See `startPostgres`; for tests. */
  fast?: boolean
}

export interface Infra {
  databaseUrl: string
  natsUrl: string
  redisUrl: string
  /** The started servers, so that their exit can be watched. */
  servers: (Pick<Child, 'name' | 'logFile'> & { exited: Promise<unknown> })[]
}
