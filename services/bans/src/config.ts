import { createEnvReader, type Environment, readServiceConfig, type ServiceConfig } from '@storekeep/common/config'

/** Reads `process.env`; nothing else does. */
export function configFromProcess(): ServiceConfig {
  return readConfig(process.env)
}

/** @throws ConfigError naming every missing or invalid setting */
export function readConfig(source: Environment): ServiceConfig {
  const env = createEnvReader(source)
  const config = readServiceConfig(env)
  env.finish()
  return Object.freeze(config)
}
