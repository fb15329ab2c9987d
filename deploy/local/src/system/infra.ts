import { join } from 'node:path'
import { checkJetStream, type RunningServer, startNats, startPostgres, startRedis } from '../infra/index.ts'
import type { Scope } from '../run-command.ts'
import { hasSpaceToStart } from './disk-guard.ts'
import { checkNats, checkPostgres, checkRedis } from './reachable.ts'
import type { Settings } from './settings.ts'
import type { Program } from './supervise.ts'

/** Starts Postgres, NATS and Redis with their data in `place`. Checks, instead, each server that the settings name. */
export async function startInfra(scope: Scope, settings: InfraSettings, place: InfraPlace): Promise<Infra> {
  const { step } = scope.progress
  const { databaseUrl, natsUrl, redisUrl } = settings
  const { data, logs, fast = false } = place
  if (databaseUrl) await step('Postgres at DATABASE_URL', () => checkPostgres('DATABASE_URL', databaseUrl))
  if (natsUrl) await step('NATS at NATS_URL', () => checkNats('NATS_URL', natsUrl))
  if (redisUrl) await step('Redis at REDIS_URL', () => checkRedis('REDIS_URL', redisUrl))

  const servers: Program[] = []
  async function start(name: string, run: StartServer): Promise<string> {
    const logFile = join(logs, `${name.toLowerCase()}.log`)
    let current = await step(name, () => run({ logFile }))
    scope.onEnd(() => current.stop())
    servers.push({
      name,
      get current() {
        return current
      },
      ...(name !== 'Redis' && { hasSpace: () => hasSpaceToStart(data) }),
      ...(name === 'NATS' && { check: () => checkJetStream(current.port) }),
      restart: async () => {
        current = await run({ logFile, port: current.port })
      },
    })
    return current.url
  }
  const [startedDatabaseUrl, startedNatsUrl, startedRedisUrl] = await Promise.all([
    databaseUrl ?? start('Postgres', (given) => startPostgres({ dataDir: join(data, 'postgres'), fast, ...given })),
    natsUrl ?? start('NATS', (given) => startNats({ dataDir: join(data, 'nats'), ...given })),
    redisUrl ?? start('Redis', (given) => startRedis({ dir: join(data, 'redis'), ...given })),
  ])
  return { databaseUrl: startedDatabaseUrl, natsUrl: startedNatsUrl, redisUrl: startedRedisUrl, servers }
}

type StartServer = (given: { logFile: string; port?: number }) => Promise<RunningServer>

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
  /** The started servers. */
  servers: Program[]
}
