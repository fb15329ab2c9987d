import { randomBytes } from 'node:crypto'
import type { ServerName } from '@storekeep/proto/conventions/call-rights'
import { type Clock, systemClock } from '../clock/index.ts'
import type { ServiceConfig } from '../config/index.ts'
import { createRelay, type Relay } from '../events/index.ts'
import { createIdentity, type WatchedIdentity } from '../identity/index.ts'
import { createLogger, type Logger } from '../log/index.ts'
import { createNats, type Nats } from '../nats/index.ts'
import { createDatabase, type Database, type DatabaseOptions } from '../postgres/index.ts'
import { createMetrics, type Metrics } from '../telemetry/index.ts'
import { createFlakeIds, type FlakeIds, type WriteDependencies } from '../write/index.ts'

/** The dependencies that every service has. The AppContext of a service extends them. */
export interface Runtime extends WriteDependencies {
  log: Logger
  metrics: Metrics
  database: Database
  nats: Nats
  relay: Relay
  /** The ids of new records. */
  ids: FlakeIds
  /** Proves this process's name to the services that it calls. */
  identity: WatchedIdentity<ServerName>
  clock: Clock
  randomBytes(size: number): Buffer
}

/** Replacements for tests. */
export interface RuntimeOverrides {
  log?: Logger
  clock?: Clock
  /** See `DatabaseOptions`. */
  timeLimitFactor?: number
}

interface RuntimeOptions extends RuntimeOverrides {
  /** See `DatabaseOptions.check`. */
  checkDatabase: NonNullable<DatabaseOptions['check']>
}

export function createRuntime(
  service: ServerName,
  config: ServiceConfig,
  { checkDatabase, ...overrides }: RuntimeOptions,
): Runtime {
  const log = overrides.log ?? createLogger({ service, level: config.log.level })
  const metrics = createMetrics({ service, processMetrics: true })
  const identity = createIdentity(service, { config: config.identity, log, metrics })
  const { timeLimitFactor = 1 } = overrides
  const common = { applicationName: service, timeLimitFactor, log, metrics }
  const database = createDatabase({ ...config.database, ...common, check: checkDatabase })
  const nats = createNats({ ...config.nats, name: service, log })
  metrics.gauge('nats_connected', '1 while the process is connected to NATS, otherwise 0.', () =>
    nats.connection() === undefined ? 0 : 1,
  )
  return {
    log,
    metrics,
    database,
    nats,
    ids: createFlakeIds(database),
    relay: createRelay({ database, nats, stream: config.events.stream, log, metrics }),
    identity,
    secrets: config.secrets,
    clock: overrides.clock ?? systemClock,
    randomBytes,
  }
}
