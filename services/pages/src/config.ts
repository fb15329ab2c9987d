import type { BlockList } from 'node:net'
import {
  type CellAddresses,
  createEnvReader,
  type Environment,
  type EnvReader,
  type IdentityConfig,
  logLevels,
  readCells,
  readIdentityConfig,
  readTracingConfig,
  type TracingConfig,
} from '@storekeep/common/config'
import {
  type ConnectionsConfig,
  readConnectionsConfig,
  readHstsMaxAge,
  readTrustedProxies,
} from '@storekeep/common/http'

/** Reads the settings of this process; the only place that reads `process.env`. */
export function configFromProcess(): PagesConfig {
  return readConfig(process.env)
}

/** @throws ConfigError that names every missing or invalid setting */
export function readConfig(source: Environment): PagesConfig {
  const env = createEnvReader(source)
  const config: PagesConfig = {
    http: {
      host: env.string('HOST', '127.0.0.1'),
      port: env.integer('PORT', { min: 0, max: 65_535, fallback: 8081 }),
      trustedProxies: readTrustedProxies(env),
    },
    sites: { checkout: readSite(env, 'CHECKOUT_BASE_URL'), portal: readSite(env, 'PORTAL_BASE_URL') },
    providerOrigins: env.list('PAYMENT_PROVIDER_ORIGINS', ['https://checkout.stripe.com']),
    connections: readConnectionsConfig(env),
    metrics: { port: env.integer('METRICS_PORT', { min: 0, max: 65_535, fallback: 9464 }) },
    cells: readCells(env, calledServices),
    identity: readIdentityConfig(env),
    calls: { timeoutMs: env.integer('REQUEST_TIMEOUT_MS', { min: 100, max: 15_000, fallback: 5000 }) },
    limits: {
      addressPerMinute: perMinute('RATE_LIMIT_ADDRESS_PER_MINUTE', 600),
      formAddressPerMinute: perMinute('RATE_LIMIT_FORM_ADDRESS_PER_MINUTE', 120),
      formTokenPerMinute: perMinute('RATE_LIMIT_FORM_TOKEN_PER_MINUTE', 30),
      unknownTokenPerMinute: perMinute('RATE_LIMIT_UNKNOWN_TOKEN_PER_MINUTE', 60),
      webhookAddressPerMinute: perMinute('RATE_LIMIT_WEBHOOK_ADDRESS_PER_MINUTE', 12_000),
      webhookStorePerMinute: perMinute('RATE_LIMIT_WEBHOOK_STORE_PER_MINUTE', 1200),
    },
    hstsMaxAgeSeconds: readHstsMaxAge(env),
    log: { level: env.oneOf('LOG_LEVEL', logLevels, 'info') },
    tracing: readTracingConfig(env),
    shutdown: {
      delayMs: env.integer('SHUTDOWN_DELAY_MS', { min: 0, max: 60_000, fallback: 0 }),
      graceMs: env.integer('SHUTDOWN_GRACE_MS', { min: 0, max: 600_000, fallback: 15_000 }),
    },
  }
  env.finish()
  return Object.freeze(config)

  function perMinute(name: string, fallback: number): number {
    return env.integer(name, { min: 1, max: 1_000_000_000, fallback })
  }
}

const calledServices = ['stores', 'customers', 'checkout', 'orders'] as const

export interface PagesConfig {
  http: {
    host: string
    /** 0 picks a free port. */
    port: number
    /** Peers whose X-Forwarded-For is trusted. */
    trustedProxies: BlockList
  }
  sites: { checkout: Site; portal: Site }
  /** Where the checkout form may lead: the origins of the payment providers' pages. */
  providerOrigins: readonly string[]
  connections: ConnectionsConfig
  metrics: { port: number }
  /** Address of each service process in each cell. */
  cells: CellAddresses<(typeof calledServices)[number]>
  /** Proves the name of this process to the services. */
  identity: IdentityConfig
  calls: {
    /** Total time for a request, from its arrival to the last service response. */
    timeoutMs: number
  }
  /** Counted in each replica. */
  limits: {
    /** Requests per client address. */
    addressPerMinute: number
    /** Submitted forms per client address, and per link or session. */
    formAddressPerMinute: number
    formTokenPerMinute: number
    /** Unknown tokens per client address. */
    unknownTokenPerMinute: number
    /** Webhooks of payment providers per address, and per address and store. */
    webhookAddressPerMinute: number
    webhookStorePerMinute: number
  }
  /** 0 sends no `Strict-Transport-Security`. */
  hstsMaxAgeSeconds: number
  log: { level: (typeof logLevels)[number] }
  /** Undefined disables tracing. */
  tracing: TracingConfig | undefined
  shutdown: {
    /** Delay between failing readiness and refusing connections, for load balancers to notice. */
    delayMs: number
    /** Time for requests in flight to finish after that. */
    graceMs: number
  }
}

/** The public address of the checkout or the portal. */
export interface Site {
  /** "https://pay.example.com" */
  origin: string
  /** "pay.example.com", as in the Host header. */
  host: string
  /** Prefix of every path, without a trailing slash: "" or "/checkout". */
  path: string
}

function readSite(env: EnvReader, name: string): Site {
  return env.custom(name, (text) => {
    const url = URL.canParse(text) ? new URL(text) : undefined
    if (!url || !/^https?:$/.test(url.protocol) || url.search || url.hash || url.username) {
      throw new Error('must be a URL that starts with http:// or https:// and has no query')
    }
    return { origin: url.origin, host: url.host, path: url.pathname.replace(/\/+$/, '') }
  })
}
