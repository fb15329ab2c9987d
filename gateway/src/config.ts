import type { BlockList } from 'node:net'
import {
  type CellAddresses,
  createEnvReader,
  type Environment,
  type IdentityConfig,
  logLevels,
  parseRatio,
  type RedisConfig,
  readCells,
  readIdentityConfig,
  readRedisConfig,
  readTracingConfig,
  type TracingConfig,
} from '@storekeep/common/config'
import {
  type ConnectionsConfig,
  readConnectionsConfig,
  readHstsMaxAge,
  readTrustedProxies,
} from '@storekeep/common/http'
import { type ServerName, serverNames } from '@storekeep/proto/conventions/call-rights'

/** Reads the settings of this process; the only place that reads `process.env`. */
export function configFromProcess(): GatewayConfig {
  return readConfig(process.env)
}

/** @throws ConfigError that names every missing or invalid setting */
export function readConfig(source: Environment): GatewayConfig {
  const env = createEnvReader(source)
  const config: GatewayConfig = {
    http: {
      host: env.string('HOST', '127.0.0.1'),
      port: env.integer('PORT', { min: 0, max: 65_535, fallback: 8080 }),
      publicBaseUrl: env.optional('PUBLIC_BASE_URL') ? publicBaseUrl() : '',
      trustedProxies: readTrustedProxies(env),
      headerAliases: env.boolean('STOREFRONT_HEADER_ALIASES', true),
      hstsMaxAgeSeconds: readHstsMaxAge(env),
    },
    connections: readConnectionsConfig(env),
    metrics: { port: env.optional('METRICS_PORT') ? metricsPort() : undefined },
    cells: readCells(env, serverNames),
    identity: readIdentityConfig(env),
    redis: {
      ...readRedisConfig(env),
      commandTimeoutMs: env.integer('REDIS_TIMEOUT_MS', { min: 10, max: 2000, fallback: 50 }),
    },
    calls: {
      timeoutMs: env.integer('REQUEST_TIMEOUT_MS', { min: 100, max: 15_000, fallback: 3000 }),
      credentialTimeoutMs: env.integer('CREDENTIAL_TIMEOUT_MS', { min: 100, max: 15_000, fallback: 1000 }),
    },
    apiKeys: { cacheMs: env.integer('API_KEY_CACHE_MS', { min: 0, max: 5000, fallback: 5000 }) },
    limits: {
      apiKeyPerMinute: perMinute('RATE_LIMIT_API_KEY_PER_MINUTE', 12_000),
      failedAuthPerMinute: perMinute('RATE_LIMIT_FAILED_AUTH_PER_MINUTE', 3000),
      unknownStorePerMinute: perMinute('RATE_LIMIT_UNKNOWN_STORE_PER_MINUTE', 600),
      signInAddressPerMinute: perMinute('RATE_LIMIT_SIGN_IN_ADDRESS_PER_MINUTE', 30),
      signInNamePerMinute: perMinute('RATE_LIMIT_SIGN_IN_NAME_PER_MINUTE', 10),
      signInStorePerMinute: perMinute('RATE_LIMIT_SIGN_IN_STORE_PER_MINUTE', 600),
      replicas: env.integer('RATE_LIMIT_REPLICAS', { min: 1, max: 1000, fallback: 1 }),
    },
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
  env.finish()
  return Object.freeze(config)

  function publicBaseUrl(): string {
    return (env.url('PUBLIC_BASE_URL', ['http:', 'https:']) ?? '').replace(/\/+$/, '')
  }

  function metricsPort(): number {
    return env.integer('METRICS_PORT', { min: 0, max: 65_535 })
  }

  function perMinute(name: string, fallback: number): number {
    return env.integer(name, { min: 1, max: 1_000_000_000, fallback })
  }
}

export interface GatewayConfig {
  http: {
    host: string
    /** 0 picks a free port. */
    port: number
    /** Public address of the gateway. URLs in Link headers start with it; they are relative when it is empty. */
    publicBaseUrl: string
    /** Peers whose X-Forwarded-For is trusted. */
    trustedProxies: BlockList
    /** Whether storefront operations also accept the header names of the original interface. */
    headerAliases: boolean
    /** 0 sends no `Strict-Transport-Security`. */
    hstsMaxAgeSeconds: number
  }
  connections: ConnectionsConfig
  metrics: {
    /** Port of /metrics; undefined serves it on the HTTP port, 0 picks a free port. */
    port: number | undefined
  }
  /** Address of each service process in each cell. */
  cells: CellAddresses<ServerName>
  /** Proves the gateway's name to the services. */
  identity: IdentityConfig
  redis: RedisConfig & {
    /** Time limit of a Redis command, after which the gateway continues without Redis. */
    commandTimeoutMs: number
  }
  calls: {
    /** Total time for a request, from its arrival to the last service response. */
    timeoutMs: number
    /** Time for verifying a key or token, so that an unavailable service is reported early. */
    credentialTimeoutMs: number
  }
  apiKeys: {
    /** How long a verified key is cached. */
    cacheMs: number
  }
  limits: {
    apiKeyPerMinute: number
    /** Rejected keys, and separately rejected tokens, per client address. */
    failedAuthPerMinute: number
    /** Look-ups of stores that do not exist, per client address. */
    unknownStorePerMinute: number
    signInAddressPerMinute: number
    signInNamePerMinute: number
    signInStorePerMinute: number
    /** Gateway replicas that share the traffic; without Redis each grants its share of a limit. */
    replicas: number
  }
  log: {
    level: (typeof logLevels)[number]
    /** Share of the requests that are logged, 0 to 1, apart from failed and slow ones. */
    requestRatio: number
  }
  /** Undefined disables tracing. */
  tracing: TracingConfig | undefined
  shutdown: {
    /** Delay between failing readiness and refusing connections, for load balancers to notice. */
    delayMs: number
    /** Time for requests in flight to finish after that. */
    graceMs: number
  }
}
