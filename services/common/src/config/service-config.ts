import { createSecretBox, type SecretBox } from '../crypto/index.ts'
import { maxCell } from '../flake/index.ts'
import { type ConnectionShares, minConnections, shareConnections } from './connection-shares.ts'
import type { EnvReader } from './env.ts'
import { readServerIdentityConfig, type ServerIdentityConfig } from './identity-config.ts'
import { type NatsConfig, readNatsConfig } from './nats-config.ts'
import { readTracingConfig, type TracingConfig } from './tracing-config.ts'

/**
 * Reads the settings that all services share.
 * @param defaults.connections the default of DATABASE_CONNECTIONS for this service
 * @param defaults.reserved how many of them the service opens itself
 */
export function readServiceConfig(
  env: EnvReader,
  { connections = 20, reserved = 0 }: { connections?: number; reserved?: number } = {},
): ServiceConfig {
  return {
    cell: readCell(env),
    database: {
      url: env.databaseUrl('DATABASE_URL'),
      connections: shareConnections(
        env.integer('DATABASE_CONNECTIONS', { min: minConnections, max: 200, fallback: connections }) - reserved,
      ),
      migrate: env.boolean('MIGRATE', true),
      replica: readReplicaConfig(env),
    },
    nats: readNatsConfig(env),
    events: { stream: env.string('EVENTS_STREAM', 'EVENTS') },
    grpc: {
      host: env.string('GRPC_HOST', '127.0.0.1'),
      port: env.integer('GRPC_PORT', { min: 0, max: 65_535 }),
    },
    identity: readServerIdentityConfig(env),
    secrets: env.custom('ENCRYPTION_KEY', createSecretBox),
    metrics: { port: env.integer('METRICS_PORT', { min: 0, max: 65_535, fallback: 0 }) },
    log: { level: env.oneOf('LOG_LEVEL', logLevels, 'info') },
    tracing: readTracingConfig(env),
    shutdown: { graceMs: env.integer('SHUTDOWN_GRACE_MS', { min: 0, max: 600_000, fallback: 20_000 }) },
  }
}

/** Reads the number of the cell that the process belongs to (decision 0039). */
export function readCell(env: EnvReader): number {
  return env.integer('CELL', { min: 0, max: maxCell, fallback: 0 })
}

function readReplicaConfig(env: EnvReader): ServiceConfig['database']['replica'] {
  const maxLagMs = env.integer('DATABASE_REPLICA_MAX_LAG_MS', { min: 100, max: 600_000, fallback: 5000 })
  if (env.optional('DATABASE_REPLICA_URL') === undefined) return undefined
  return { url: env.databaseUrl('DATABASE_REPLICA_URL'), maxLagMs }
}

export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const

export interface ServiceConfig {
  /** The cell of the process. It serves only stores whose id was created in it. */
  cell: number
  /** The URL contains the service's role, whose search_path is the service's schema. */
  database: {
    url: string
    connections: ConnectionShares
    migrate: boolean
    replica: { url: string; maxLagMs: number } | undefined
  }
  nats: NatsConfig
  /** Name of the JetStream stream. Its subjects start with the name in lower case. */
  events: { stream: string }
  /** Port 0 picks a free port. */
  grpc: { host: string; port: number }
  /** Proves this process's name to others, and theirs to it. */
  identity: ServerIdentityConfig
  /** Encrypts stored responses that contain a secret. */
  secrets: SecretBox
  /** HTTP port of /metrics, /healthz and /readyz; 0 picks a free port. */
  metrics: { port: number }
  log: { level: (typeof logLevels)[number] }
  /** Undefined: tracing is disabled. */
  tracing: TracingConfig | undefined
  /** How long calls and events in flight may take after SIGTERM. */
  shutdown: { graceMs: number }
}
