import {
  createEnvReader,
  type Environment,
  type RedisConfig,
  readRedisConfig,
  readServiceConfig,
  type ServiceConfig,
} from '@storekeep/common/config'

/** The settings of this process; the only place that reads `process.env`. */
export function configFromProcess(): StoresConfig {
  return readConfig(process.env)
}

/** @throws ConfigError naming every missing or invalid setting */
export function readConfig(source: Environment): StoresConfig {
  const env = createEnvReader(source)
  const config: StoresConfig = {
    ...readServiceConfig(env),
    redis: readRedisConfig(env),
    peppers: env.keys32('API_KEY_PEPPER'),
  }
  env.finish()
  return Object.freeze(config)
}

export interface StoresConfig extends ServiceConfig {
  redis: RedisConfig
  /** Key the hashes of the API keys: the first those of new ones, and all are tried. Without its own a key is unknown. */
  peppers: readonly Buffer[]
}
