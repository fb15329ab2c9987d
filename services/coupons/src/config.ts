import { createEnvReader, type Environment, readServiceConfig, type ServiceConfig } from '@storekeep/common/config'

/** Reads the settings of this process. @throws ConfigError naming every missing or invalid setting */
export function readConfig(source: Environment = process.env): CouponsConfig {
  const env = createEnvReader(source)
  const config: CouponsConfig = {
    ...readServiceConfig(env),
    customers: { address: env.string('CUSTOMERS_ADDRESS') },
    sweep: { intervalMs: env.integer('SWEEP_INTERVAL_MS', { min: 10, max: 3_600_000, fallback: 30_000 }) },
  }
  env.finish()
  return Object.freeze(config)
}

export interface CouponsConfig extends ServiceConfig {
  /** The customers service. */
  customers: { address: string }
  /** Interval of the sweep for expired reservations. */
  sweep: { intervalMs: number }
}
