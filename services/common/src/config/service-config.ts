import { createSecretBox, type SecretBox } from '../crypto/index.ts'
import type { EnvReader } from './env.ts'
import { readServerTlsConfig, type ServerTlsConfig } from './tls-config.ts'
import { readTracingConfig, type TracingConfig } from './tracing-config.ts'

/**
 * Settings that every service has, under the same names everywhere.
 * @param defaults of a service that needs others than most
 */
export function readServiceConfig(env: EnvReader, defaults: { poolSize?: number } = {}): ServiceConfig {
  return {
    database: {
      url: env.url('DATABASE_URL', ['postgres:', 'postgresql:']),
      poolSize: env.integer('DATABASE_POOL_SIZE', { min: 1, max: 200, fallback: defaults.poolSize ?? 10 }),
      migrate: env.boolean('MIGRATE', true),
    },
    nats: { url: env.url('NATS_URL', ['nats:', 'tls:']) },
    events: { stream: env.string('EVENTS_STREAM', 'EVENTS') },
    grpc: {
      host: env.string('GRPC_HOST', '127.0.0.1'),
      port: env.integer('GRPC_PORT', { min: 0, max: 65_535 }),
    },
    tls: readServerTlsConfig(env),
    secrets: env.custom('ENCRYPTION_KEY', createSecretBox),
    metrics: { port: env.integer('METRICS_PORT', { min: 0, max: 65_535, fallback: 0 }) },
    log: { level: env.oneOf('LOG_LEVEL', logLevels, 'info') },
    tracing: readTracingConfig(env),
    shutdown: { graceMs: env.integer('SHUTDOWN_GRACE_MS', { min: 0, max: 600_000, fallback: 20_000 }) },
  }
}

export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const

export interface ServiceConfig {
  /** The service's own role; its search_path is the service's schema. */
  database: { url: string; poolSize: number; migrate: boolean }
  nats: { url: string }
  /** Name of the JetStream stream; its subjects start with the name in lower case. */
  events: { stream: string }
  /** Port 0 takes a free one. */
  grpc: { host: string; port: number }
  /** Makes calls between processes TLS, both ways; they are plain without. */
  tls: ServerTlsConfig | undefined
  /** Encrypts the kept answers of idempotent calls that hold a secret. */
  secrets: SecretBox
  /** Port of /metrics, /healthz and /readyz over HTTP; 0 takes a free one. */
  metrics: { port: number }
  log: { level: (typeof logLevels)[number] }
  /** Undefined: no traces. */
  tracing: TracingConfig | undefined
  /** How long what is in flight may take after SIGTERM. */
  shutdown: { graceMs: number }
}
