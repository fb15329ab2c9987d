import type { EnvReader } from './env.ts'
import { parseRedisUrl } from './redis-url.ts'

/** Reads the Redis settings. Only processes that use Redis have them: the address allows deleting all keys. */
export function readRedisConfig(env: EnvReader): RedisConfig {
  return {
    url: env.serverUrl('REDIS_URL', parseRedisUrl),
    keyPrefix: env.string('REDIS_KEY_PREFIX', 'storekeep:'),
  }
}

export interface RedisConfig {
  /** See `parseRedisUrl`. */
  url: string
  /** Prefix of all keys and channels; the same for all processes of a system. */
  keyPrefix: string
}
