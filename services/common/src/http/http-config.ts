import { BlockList } from 'node:net'
import {
  type EnvReader,
  type IdentityConfig,
  logLevels,
  parseRatio,
  readIdentityConfig,
  readTracingConfig,
  type TracingConfig,
} from '../config/index.ts'
import { networksToBlockList, parseNetworks } from '../net/index.ts'
import type { ConnectionsConfig } from './guard-connections.ts'

/** Reads the settings that all processes share that serve HTTP. */
export function readHttpConfig(env: EnvReader, defaults: { port: number; timeoutMs: number }): HttpConfig {
  return {
    http: {
      host: env.string('HOST', '127.0.0.1'),
      port: env.integer('PORT', { min: 0, max: 65_535, fallback: defaults.port }),
      trustedProxies: env.custom(
        'TRUSTED_PROXIES',
        (text) => networksToBlockList(parseNetworks(text)),
        new BlockList(),
      ),
      hstsMaxAgeSeconds: env.integer('HSTS_MAX_AGE_SECONDS', { min: 0, max: 63_072_000, fallback: 0 }),
    },
    connections: {
      maxPerAddress: env.integer('MAX_CONNECTIONS_PER_ADDRESS', { min: 1, max: 1_000_000, fallback: 1000 }),
      maxUnsentBytes: env.integer('MAX_UNSENT_MIB', { min: 16, max: 65_536, fallback: 16 }) * 1024 * 1024,
      maxUnfinishedBytes: env.integer('MAX_UNFINISHED_BODIES_MIB', { min: 8, max: 65_536, fallback: 32 }) * 1024 * 1024,
      writeTimeoutMs: env.integer('WRITE_TIMEOUT_MS', { min: 100, max: 600_000, fallback: 10_000 }),
      headersTimeoutMs: 5000,
    },
    calls: {
      timeoutMs: env.integer('REQUEST_TIMEOUT_MS', { min: 100, max: 15_000, fallback: defaults.timeoutMs }),
    },
    identity: readIdentityConfig(env),
    log: {
      level: env.oneOf('LOG_LEVEL', logLevels, 'info'),
      requestRatio: env.custom('ACCESS_LOG_RATIO', parseRatio, 1),
    },
    tracing: readTracingConfig(env),
    shutdown: {
      delayMs: env.integer('SHUTDOWN_DELAY_MS', { min: 0, max: 60_000, fallback: 0 }),
      graceMs: env.integer('SHUTDOWN_GRACE_MS', { min: 0, max: 600_000, fallback: 15_000 }),
    },
  }
}

export interface HttpConfig {
  http: {
    host: string
    /** 0 picks a free port. */
    port: number
    /** Peers whose X-Forwarded-For is trusted. */
    trustedProxies: BlockList
    /** For how long browsers use HTTPS only; 0, for sites without HTTPS, sends no `Strict-Transport-Security`. */
    hstsMaxAgeSeconds: number
  }
  connections: ConnectionsConfig
  calls: {
    /** Total time for a request, from its arrival to the last service response. */
    timeoutMs: number
  }
  /** Proves the name of the process to the services. */
  identity: IdentityConfig
  log: {
    level: (typeof logLevels)[number]
    /** Share of the requests that are logged, 0 to 1, apart from failed, slow and traced ones. */
    requestRatio: number
  }
  /** Undefined disables tracing. */
  tracing: TracingConfig | undefined
  shutdown: {
    /** Delay between failing readiness and closing the listener, for load balancers to notice. */
    delayMs: number
    /** Time for requests in flight to finish after that. */
    graceMs: number
  }
}

/** The value of `Strict-Transport-Security`. Subdomains can belong to other sites, so they are not included. */
export function hstsHeader({ http }: HttpConfig): string | undefined {
  return http.hstsMaxAgeSeconds === 0 ? undefined : `max-age=${http.hstsMaxAgeSeconds}`
}

/** Reads the limit of a policy. */
export function readPerMinute(env: EnvReader, name: string, fallback: number): number {
  return env.integer(name, { min: 1, max: 1_000_000_000, fallback })
}
