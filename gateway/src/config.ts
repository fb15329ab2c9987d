import {
  type CellAddresses,
  createEnvReader,
  type Environment,
  type RedisConfig,
  readCells,
  readRedisConfig,
} from '@storekeep/common/config'
import { type HttpConfig, readHttpConfig, readPerMinute } from '@storekeep/common/http'
import { type CalledProcess, calledProcesses } from './services.ts'

/** Reads the settings of this process. @throws ConfigError naming every missing or invalid setting */
export function readConfig(source: Environment = process.env): GatewayConfig {
  const env = createEnvReader(source)
  const shared = readHttpConfig(env, { port: 8080, timeoutMs: 3000 })
  const config: GatewayConfig = {
    ...shared,
    http: {
      ...shared.http,
      publicBaseUrl: env.optional('PUBLIC_BASE_URL')
        ? withoutSlash(env.url('PUBLIC_BASE_URL', ['http:', 'https:']))
        : '',
      headerAliases: env.boolean('STOREFRONT_HEADER_ALIASES', true),
    },
    metrics: { port: env.optional('METRICS_PORT') ? metricsPort() : undefined },
    cells: readCells(env, calledProcesses),
    redis: {
      ...readRedisConfig(env),
      commandTimeoutMs: env.integer('REDIS_TIMEOUT_MS', { min: 10, max: 2000, fallback: 50 }),
    },
    pages: { checkoutBaseUrl: withoutSlash(env.url('CHECKOUT_BASE_URL', ['http:', 'https:'])) },
    calls: { ...shared.calls, credentialTimeoutMs: shared.calls.timeoutMs / 3 },
    apiKeys: { cacheMs: 5000 },
    polls: { maxHeld: env.integer('MAX_WAITING_POLLS', { min: 0, max: 1_000_000, fallback: 5000 }) },
    limits: {
      apiKeyPerMinute: readPerMinute(env, 'RATE_LIMIT_API_KEY_PER_MINUTE', 12_000),
      failedAuthPerMinute: readPerMinute(env, 'RATE_LIMIT_FAILED_AUTH_PER_MINUTE', 3000),
      unknownStorePerMinute: 600,
      catalogSearchAddressPerMinute: 300,
      cartCustomerPerMinute: 120,
      pollsPerMinute: readPerMinute(env, 'RATE_LIMIT_GAME_SERVER_POLLS_PER_MINUTE', 120),
      eventsPerMinute: readPerMinute(env, 'RATE_LIMIT_GAME_SERVER_EVENTS_PER_MINUTE', 600),
      checkoutAddressPerMinute: readPerMinute(env, 'RATE_LIMIT_CHECKOUT_ADDRESS_PER_MINUTE', 300),
      checkoutCustomerPerMinute: readPerMinute(env, 'RATE_LIMIT_CHECKOUT_CUSTOMER_PER_MINUTE', 20),
      signInAddressPerMinute: readPerMinute(env, 'RATE_LIMIT_SIGN_IN_ADDRESS_PER_MINUTE', 30),
      signInNamePerMinute: readPerMinute(env, 'RATE_LIMIT_SIGN_IN_NAME_PER_MINUTE', 10),
      signInStorePerMinute: readPerMinute(env, 'RATE_LIMIT_SIGN_IN_STORE_PER_MINUTE', 600),
      replicas: env.integer('RATE_LIMIT_REPLICAS', { min: 1, max: 1000, fallback: 1 }),
    },
  }
  env.finish()
  return Object.freeze(config)

  /** @param url undefined while the settings are invalid */
  function withoutSlash(url: string | undefined): string {
    return (url ?? '').replace(/\/+$/, '')
  }

  function metricsPort(): number {
    return env.integer('METRICS_PORT', { min: 0, max: 65_535 })
  }
}

export interface GatewayConfig extends HttpConfig {
  http: HttpConfig['http'] & {
    /** Public address of the gateway. URLs in Link headers start with it; they are relative when it is empty. */
    publicBaseUrl: string
    /** Whether storefront operations also accept the header names of the original interface. */
    headerAliases: boolean
  }
  metrics: {
    /** Port of /metrics; undefined serves it on the HTTP port, 0 picks a free port. */
    port: number | undefined
  }
  /** Address of each service process in each cell. */
  cells: CellAddresses<CalledProcess>
  redis: RedisConfig & {
    /** Time limit of a Redis command, after which the gateway continues without Redis. */
    commandTimeoutMs: number
  }
  pages: {
    /** Public address of the checkout page. The copies of images are below it. */
    checkoutBaseUrl: string
  }
  calls: HttpConfig['calls'] & {
    /** Time limit for verifying a key or token, so that an unavailable service is reported early. */
    credentialTimeoutMs: number
  }
  apiKeys: {
    /** How long a verified key is cached. */
    cacheMs: number
  }
  polls: {
    /** Polls of game servers that wait for a command at the same time; 0 disables waiting. */
    maxHeld: number
  }
  limits: {
    apiKeyPerMinute: number
    /** Polls of a game server that this process grants. */
    pollsPerMinute: number
    /** Requests with events of a game server that this process grants. */
    eventsPerMinute: number
    /** Rejected keys, and separately rejected tokens, per client address. */
    failedAuthPerMinute: number
    /** Lookups of stores that do not exist, per client address. */
    unknownStorePerMinute: number
    /** Searches in the catalog, per client address. */
    catalogSearchAddressPerMinute: number
    /** Reads and changes of a cart, per customer. */
    cartCustomerPerMinute: number
    /** Checkouts that customers create themselves, per client address and per customer. */
    checkoutAddressPerMinute: number
    checkoutCustomerPerMinute: number
    signInAddressPerMinute: number
    signInNamePerMinute: number
    signInStorePerMinute: number
    /** Gateway replicas that share the traffic; without Redis each grants its share of a limit. */
    replicas: number
  }
}
