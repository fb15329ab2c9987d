import { createEnvReader, type Environment, readServiceConfig, type ServiceConfig } from '@storekeep/common/config'

/** Reads the settings of this process. @throws ConfigError naming every missing or invalid setting */
export function readConfig(source: Environment = process.env): CheckoutConfig {
  const env = createEnvReader(source)
  const config: CheckoutConfig = {
    ...readServiceConfig(env),
    services: {
      stores: env.string('STORES_ADDRESS'),
      customers: env.string('CUSTOMERS_ADDRESS'),
      bans: env.string('BANS_ADDRESS'),
      coupons: env.string('COUPONS_ADDRESS'),
      customVariables: env.string('CUSTOM_VARIABLES_ADDRESS'),
      delivery: env.string('DELIVERY_ADDRESS'),
    },
    checkout: { baseUrl: env.url('CHECKOUT_BASE_URL', ['http:', 'https:']) },
    taxIds: {
      registerUrl:
        env.optional('VAT_CHECK_URL') === undefined ? undefined : env.url('VAT_CHECK_URL', ['http:', 'https:']),
    },
    sweep: { intervalMs: env.integer('SWEEP_INTERVAL_MS', { min: 50, max: 60_000, fallback: 2000 }) },
  }
  env.finish()
  return Object.freeze(config)
}

export interface CheckoutConfig extends ServiceConfig {
  /** The addresses of the services that checkout calls. */
  services: {
    stores: string
    customers: string
    bans: string
    coupons: string
    customVariables: string
    delivery: string
  }
  /** The base of checkout links. */
  checkout: { baseUrl: string }
  /** The register of VAT ids, with the REST interface of VIES. Undefined: none is asked. */
  taxIds: { registerUrl: string | undefined }
  /** Interval at which sessions are expired and abandoned reservations released. */
  sweep: { intervalMs: number }
}
