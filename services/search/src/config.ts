import { createEnvReader, type Environment, readServiceConfig, type ServiceConfig } from '@storekeep/common/config'
import { type OwnerName, ownerNames } from './kinds/index.ts'

/** The settings of this process; the only place that reads `process.env`. */
export function configFromProcess(): SearchConfig {
  return readConfig(process.env)
}

/** @throws ConfigError naming every missing or invalid setting */
export function readConfig(source: Environment): SearchConfig {
  const env = createEnvReader(source)
  const address = (owner: OwnerName) => env.string(`${owner.toUpperCase().replaceAll('-', '_')}_ADDRESS`)
  const config: SearchConfig = {
    // Eight transactions of the consumer at a time, a third of these; searches take none of them.
    ...readServiceConfig(env, { poolSize: 24 }),
    owners: Object.fromEntries(ownerNames.map((owner) => [owner, address(owner)])) as Record<OwnerName, string>,
    index: {
      checkIntervalMs: env.integer('INDEX_CHECK_INTERVAL_MS', { min: 1000, max: 86_400_000, fallback: 3_600_000 }),
    },
  }
  env.finish()
  return Object.freeze(config)
}

export interface SearchConfig extends ServiceConfig {
  /** Address of each service whose records are searched. */
  owners: Readonly<Record<OwnerName, string>>
  /** How often the index is compared with its owners. */
  index: { checkIntervalMs: number }
}
