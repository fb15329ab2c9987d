import {
  createEnvReader,
  type Environment,
  type RedisConfig,
  readRedisConfig,
  readServiceConfig,
  type ServiceConfig,
} from '@storekeep/common/config'
import { parseKeys } from '@storekeep/common/crypto'

/** Reads the settings of this process. @throws ConfigError naming every missing or invalid setting */
export function readConfig(source: Environment = process.env): StoresConfig {
  const env = createEnvReader(source)
  const config: StoresConfig = {
    ...readServiceConfig(env),
    redis: readRedisConfig(env),
    peppers: env.custom('API_KEY_PEPPER', parseKeys),
  }
  env.finish()
  return Object.freeze(config)
}

export interface StoresConfig extends ServiceConfig {
  redis: RedisConfig
  /** HMAC keys of the API key hashes. The first is used for new keys; all are tried for verification. */
  peppers: readonly Buffer[]
}
