import { createEnvReader, type Environment, readServiceConfig, type ServiceConfig } from '@storekeep/common/config'

/** The configuration of this process. */
export function configFromProcess(): ServiceConfig {
  return readConfig(process.env)
}

/** @throws ConfigError naming every setting that is missing or invalid */
export function readConfig(source: Environment): ServiceConfig {
  const env = createEnvReader(source)
  const config = readServiceConfig(env)
  env.finish()
  return Object.freeze(config)
}
