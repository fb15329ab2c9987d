import { createEnvReader, type Environment, readServiceConfig, type ServiceConfig } from '@storekeep/common/config'

/** Reads the settings of this process. @throws ConfigError naming every missing or invalid setting */
export function readConfig(source: Environment = process.env): ServiceConfig {
  const env = createEnvReader(source)
  const config = readServiceConfig(env)
  env.finish()
  return Object.freeze(config)
}
