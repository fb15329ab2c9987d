import { randomBytes } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { createRelay, type Relay } from '@storekeep/common/events'
import { createLogger, type Logger } from '@storekeep/common/log'
import { createNats, type Nats } from '@storekeep/common/nats'
import { createDatabase, type Database } from '@storekeep/common/postgres'
import { createRedis, type Redis } from '@storekeep/common/redis'
import { createMetrics, type Metrics } from '@storekeep/common/telemetry'
import type { WriteDependencies } from '@storekeep/common/write'
import type { StoresConfig } from './config.ts'
import { createKeyUsage, type KeyUsage } from './db/key-usage.ts'
import { announceRevocation } from './events/announce-revocation.ts'

/** Everything a handler may use. Built here and nowhere else; handlers close over it. */
export interface AppContext extends WriteDependencies {
  log: Logger
  metrics: Metrics
  database: Database
  nats: Nats
  redis: Redis
  relay: Relay
  keyUsage: KeyUsage
  keyChecks: ReturnType<Metrics['counter']>
  pepper: Buffer
  clock: Clock
  randomBytes(size: number): Buffer
  announceRevocation(apiKeyId: string): Promise<void>
}

export function createContext(config: StoresConfig, overrides: ContextOverrides = {}): AppContext {
  const log = overrides.log ?? createLogger({ service, level: config.log.level })
  const metrics = createMetrics({ service, processMetrics: true })
  const database = createDatabase({ ...config.database, applicationName: service, log })
  const nats = createNats({ ...config.nats, name: service, log })
  const redis = createRedis({ ...config.redis, log })
  return {
    log,
    metrics,
    database,
    nats,
    redis,
    relay: createRelay({ database, nats, stream: config.events.stream, log, metrics }),
    secrets: config.secrets,
    pepper: config.pepper,
    keyUsage: createKeyUsage({ database, log }),
    keyChecks: metrics.counter('api_key_checks_total', 'Checks of API keys, by outcome.', ['outcome']),
    clock: overrides.clock ?? { now: () => new Date() },
    randomBytes,
    announceRevocation: announceRevocation({ redis, log }),
  }
}

export interface ContextOverrides {
  log?: Logger
  clock?: Clock
}

export interface Clock {
  now(): Date
}

/** Name of the service and of its schema. */
export const service = 'stores'
/** The service's part of every flake id. Never changed, never shared. */
export const nodeNumber = 1
export const migrations = fileURLToPath(new URL('db/migrations', import.meta.url))
