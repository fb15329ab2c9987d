import {
  createEnvReader,
  type Environment,
  type EnvReader,
  parseSmtpUrl,
  readServiceConfig,
  type ServiceConfig,
} from '@storekeep/common/config'
import { parseSender } from './domain/sender.ts'

/** Reads the settings of this process. @throws ConfigError naming every missing or invalid setting */
export function readConfig(source: Environment = process.env): EmailsConfig {
  const env = createEnvReader(source)
  const config: EmailsConfig = {
    ...readServiceConfig(env),
    services: {
      stores: env.string('STORES_ADDRESS'),
      customers: env.string('CUSTOMERS_ADDRESS'),
      orders: env.string('ORDERS_ADDRESS'),
    },
    smtp: readSmtp(env),
    checkoutBaseUrl: env.url('CHECKOUT_BASE_URL', ['http:', 'https:']),
    reencryptMs: 60_000,
  }
  env.finish()
  return Object.freeze(config)
}

function readSmtp(env: EnvReader): SmtpConfig | undefined {
  const isSet = env.optional('SMTP_URL') !== undefined
  const from = env.custom('EMAIL_FROM', parseSender, isSet ? undefined : '')
  const timeoutMs = env.integer('SMTP_TIMEOUT_MS', { min: 1000, max: 60_000, fallback: 30_000 })
  return isSet ? { url: env.serverUrl('SMTP_URL', parseSmtpUrl), from, timeoutMs } : undefined
}

export interface EmailsConfig extends ServiceConfig {
  services: { stores: string; customers: string; orders: string }
  /** Undefined: the installation sends no emails. */
  smtp: SmtpConfig | undefined
  /** The address of the checkout pages, from which emails load the logo of the store. */
  checkoutBaseUrl: string
  /** Interval at which addresses of an earlier encryption key are encrypted again. */
  reencryptMs: number
}

export interface SmtpConfig {
  /** See `parseSmtpUrl`. Contains the password. */
  url: string
  /** The address of the sender. */
  from: string
  /** Time limit for connecting, for each response of the server, and three times as much for an attempt. */
  timeoutMs: number
}
