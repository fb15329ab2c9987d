import {
  type CellAddresses,
  createEnvReader,
  type Environment,
  type EnvReader,
  readCells,
} from '@storekeep/common/config'
import { type HttpConfig, readHttpConfig, readPerMinute } from '@storekeep/common/http'

/** Reads the settings of this process. @throws ConfigError naming every missing or invalid setting */
export function readConfig(source: Environment = process.env): PagesConfig {
  const env = createEnvReader(source)
  const config: PagesConfig = {
    ...readHttpConfig(env, { port: 8081, timeoutMs: 5000 }),
    sites: {
      checkout: readSite(env, 'CHECKOUT_BASE_URL'),
      portal: readSite(env, 'PORTAL_BASE_URL'),
      store: readSite(env, 'STORE_BASE_URL'),
    },
    providerOrigins: env.list('PAYMENT_PROVIDER_ORIGINS', ['https://checkout.stripe.com']),
    countryHeader: env.optional('COUNTRY_HEADER')?.toLowerCase(),
    metrics: { port: env.integer('METRICS_PORT', { min: 0, max: 65_535, fallback: 9464 }) },
    cells: readCells(env, calledServices),
    limits: {
      addressPerMinute: readPerMinute(env, 'RATE_LIMIT_ADDRESS_PER_MINUTE', 600),
      formAddressPerMinute: readPerMinute(env, 'RATE_LIMIT_FORM_ADDRESS_PER_MINUTE', 120),
      formTokenPerMinute: readPerMinute(env, 'RATE_LIMIT_FORM_TOKEN_PER_MINUTE', 30),
      unknownTokenPerMinute: readPerMinute(env, 'RATE_LIMIT_UNKNOWN_TOKEN_PER_MINUTE', 60),
      imageAddressPerMinute: readPerMinute(env, 'RATE_LIMIT_IMAGE_ADDRESS_PER_MINUTE', 3000),
      signInAddressPerMinute: readPerMinute(env, 'RATE_LIMIT_SIGN_IN_ADDRESS_PER_MINUTE', 30),
      signInNamePerMinute: readPerMinute(env, 'RATE_LIMIT_SIGN_IN_NAME_PER_MINUTE', 10),
      signInStorePerMinute: readPerMinute(env, 'RATE_LIMIT_SIGN_IN_STORE_PER_MINUTE', 600),
      searchAddressPerMinute: readPerMinute(env, 'RATE_LIMIT_SEARCH_ADDRESS_PER_MINUTE', 60),
      webhookAddressPerMinute: readPerMinute(env, 'RATE_LIMIT_WEBHOOK_ADDRESS_PER_MINUTE', 12_000),
      webhookStorePerMinute: readPerMinute(env, 'RATE_LIMIT_WEBHOOK_STORE_PER_MINUTE', 1200),
    },
  }
  env.finish()
  return Object.freeze(config)
}

const calledServices = ['stores', 'customers', 'custom-variables', 'checkout', 'orders', 'delivery', 'images'] as const

export interface PagesConfig extends HttpConfig {
  sites: { checkout: Site; portal: Site; store: Site }
  /** Where the checkout form may redirect: the origins of the payment providers' pages. */
  providerOrigins: readonly string[]
  /** The header in which a proxy sends the country of the client's address, in lower case. Undefined: none does. */
  countryHeader: string | undefined
  metrics: { port: number }
  /** Address of each service process in each cell. */
  cells: CellAddresses<(typeof calledServices)[number]>
  /** Counted in each replica. */
  limits: {
    /** Requests per client address. */
    addressPerMinute: number
    /** Submitted forms per client address, and per link or session. */
    formAddressPerMinute: number
    formTokenPerMinute: number
    /** Unknown tokens per client address. */
    unknownTokenPerMinute: number
    /** Images per client address. */
    imageAddressPerMinute: number
    /** Sign-ins to store pages, per client address, per name and per store. */
    signInAddressPerMinute: number
    signInNamePerMinute: number
    signInStorePerMinute: number
    /** Searches in stores per client address. */
    searchAddressPerMinute: number
    /** Webhooks of payment providers per address, and per address and store. */
    webhookAddressPerMinute: number
    webhookStorePerMinute: number
  }
}

/** The public address of the checkout, the portal or the store pages. */
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
