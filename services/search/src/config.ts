import { createEnvReader, type Environment, readServiceConfig, type ServiceConfig } from '@storekeep/common/config'
import { type OwnerName, ownerNames } from './documents/mappers/record-types/index.ts'

/** Reads the settings of this process. @throws ConfigError naming every missing or invalid setting */
export function readConfig(source: Environment = process.env): SearchConfig {
  const env = createEnvReader(source)
  const address = (owner: OwnerName) => env.string(`${owner.toUpperCase().replaceAll('-', '_')}_ADDRESS`)
  const config: SearchConfig = {
    // The consumer runs eight transactions concurrently, a third of the 24 that remain. Creating an index needs one connection.
    ...readServiceConfig(env, { connections: 34, reserved: 1 }),
    owners: Object.fromEntries(ownerNames.map((owner) => [owner, address(owner)])) as Record<OwnerName, string>,
    index: { checkIntervalMs: 3_600_000 },
  }
  env.finish()
  return Object.freeze(config)
}

export interface SearchConfig extends ServiceConfig {
  /** Addresses of the services that own the records. */
  owners: Readonly<Record<OwnerName, string>>
  index: {
    /** How often the index is verified against its owners. */
    checkIntervalMs: number
  }
}
