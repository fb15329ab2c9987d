import { join } from 'node:path'
import { checkJetStream, type RunningServer, startNats, startPostgres, startRedis, urlOfUser } from '../infra/index.ts'
import type { Scope } from '../run-command.ts'
import { nameInCell } from './cells.ts'
import { checkNats, checkPostgres, checkRedis } from './reachable.ts'
import type { Secrets } from './secrets.ts'
import type { Settings } from './settings.ts'
import type { Program } from './supervise.ts'

/**
 * Starts Postgres, NATS and Redis with their data in `place`. Checks, instead, each server that the settings name.
 * @param shared the servers of cell 0; another cell uses their Redis
 */
export async function startInfra(
  scope: Scope,
  settings: InfraSettings,
  place: InfraPlace,
  shared?: Infra,
): Promise<Infra> {
  const { step } = scope.progress
  const { databaseUrl, natsUrl, redisUrl } = settings
  const { data, logs, fast = false, secrets, cell = 0 } = place
  if (databaseUrl) await step('Postgres at DATABASE_URL', () => checkPostgres('DATABASE_URL', databaseUrl))
  if (natsUrl) await step('NATS at NATS_URL', () => checkNats('NATS_URL', natsUrl))
  if (redisUrl) await step('Redis at REDIS_URL', () => checkRedis('REDIS_URL', redisUrl))

  const servers: Program[] = []
  async function start(name: string, run: StartServer): Promise<string> {
    const logFile = join(logs, `${nameInCell(cell, name.toLowerCase())}.log`)
    const fullName = cell === 0 ? name : `${name} of cell ${cell}`
    let current = await step(fullName, () => run({ logFile }))
    scope.onEnd(() => current.stop())
    servers.push({
      name: fullName,
      get current() {
        return current
      },
      ...(name === 'NATS' && { check: () => checkJetStream(current.port) }),
      restart: async () => {
        current = await run({ logFile, port: current.port })
      },
    })
    return current.url
  }
  const natsPasswordOf = secrets && ((service: string) => secrets.nats_passwords[service] ?? '')
  const redisPasswordOf = secrets && ((component: string) => secrets.redis_passwords[component] ?? '')
  const [startedDatabaseUrl, startedNatsUrl, startedRedisUrl] = await Promise.all([
    databaseUrl ?? start('Postgres', (given) => startPostgres({ dataDir: join(data, 'postgres'), fast, ...given })),
    natsUrl ??
      start('NATS', (given) => startNats({ dataDir: join(data, 'nats'), passwordOf: natsPasswordOf, ...given })),
    redisUrl ??
      shared?.redisUrl ??
      start('Redis', (given) => startRedis({ dir: join(data, 'redis'), passwordOf: redisPasswordOf, ...given })),
  ])
  return {
    databaseUrl: startedDatabaseUrl,
    natsUrl: startedNatsUrl,
    redisUrl: startedRedisUrl,
    natsUrlOf: (name) => (natsUrl ? natsUrl : urlOfUser(startedNatsUrl, name, natsPasswordOf?.(name))),
    redisUrlOf:
      shared?.redisUrlOf ??
      ((name) => (redisUrl ? redisUrl : urlOfUser(startedRedisUrl, name, redisPasswordOf?.(name)))),
    servers,
  }
}

type StartServer = (given: { logFile: string; port?: number }) => Promise<RunningServer>

type InfraSettings = Partial<Pick<Settings, 'databaseUrl' | 'natsUrl' | 'redisUrl'>>

interface InfraPlace {
  data: string
  logs: string
  /** See `startPostgres`; for tests. */
  fast?: boolean
  /** The passwords on the servers. Default: see `startNats` and `startRedis`; for tests. */
  secrets?: Pick<Secrets, 'nats_passwords' | 'redis_passwords'>
  /** Default: 0. */
  cell?: number
}

export interface Infra {
  databaseUrl: string
  natsUrl: string
  redisUrl: string
  /** The URL with the credentials of a component; your own server's URL unchanged. */
  natsUrlOf(name: string): string
  redisUrlOf(name: string): string
  /** The started servers. */
  servers: Program[]
}
