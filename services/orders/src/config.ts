import { createEnvReader, type Environment, readServiceConfig, type ServiceConfig } from '@storekeep/common/config'

/** Reads the settings of this process. @throws ConfigError naming every missing or invalid setting */
export function readConfig(source: Environment = process.env): OrdersConfig {
  const env = createEnvReader(source)
  const config: OrdersConfig = {
    ...readServiceConfig(env),
    services: { checkout: env.string('CHECKOUT_ADDRESS'), customers: env.string('CUSTOMERS_ADDRESS') },
    payments: {
      isTestAllowed: env.boolean('TEST_PAYMENTS', false),
      stripeBaseUrl: env.url('STRIPE_BASE_URL', ['http:', 'https:'], 'https://api.stripe.com'),
    },
    sweep: { intervalMs: env.integer('SWEEP_INTERVAL_MS', { min: 50, max: 60_000, fallback: 2000 }) },
    reencryptMs: 60_000,
  }
  env.finish()
  return Object.freeze(config)
}

export interface OrdersConfig extends ServiceConfig {
  services: { checkout: string; customers: string }
  payments: {
    /** Whether stores can enable the provider `test`. */
    isTestAllowed: boolean
    stripeBaseUrl: string
  }
  /** Interval at which interrupted payments and refunds are resumed. */
  sweep: { intervalMs: number }
  /** Interval at which secrets of an earlier encryption key are encrypted again. */
  reencryptMs: number
}
