import { createEnvReader, type Environment, readServiceConfig, type ServiceConfig } from '@storekeep/common/config'

/** Reads the settings of this process. @throws ConfigError naming every missing or invalid setting */
export function readConfig(source: Environment = process.env): DeliveryConfig {
  const env = createEnvReader(source)
  const config: DeliveryConfig = {
    ...readServiceConfig(env),
    commands: { leaseMs: 1000 * env.integer('COMMAND_LEASE_SECONDS', { min: 5, max: 300, fallback: 30 }) },
    // An item expires at most 10 s late (contract "Delivery").
    sweep: { intervalMs: env.integer('SWEEP_INTERVAL_MS', { min: 50, max: 5000, fallback: 2000 }) },
  }
  env.finish()
  return Object.freeze(config)
}

export interface DeliveryConfig extends ServiceConfig {
  /** Time after which a command that was given out, but not acknowledged, is given out again. */
  commands: { leaseMs: number }
  /** Interval at which items expire and commands that were never acknowledged become stuck. */
  sweep: { intervalMs: number }
}
