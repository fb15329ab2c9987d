import type { EnvReader } from './env.ts'

/** Reads the Redis settings. Only processes that use Redis have them: the address allows deleting all keys. */
export function readRedisConfig(env: EnvReader): RedisConfig {
  return {
    url: env.serverUrl('REDIS_URL', { redis: 6379, rediss: 6379 }),
    keyPrefix: env.string('REDIS_KEY_PREFIX', 'storekeep:'),
  }
}

export interface RedisConfig {
  url: string
  /** Prefix of all keys and channels; the same for all processes of a system. */
  keyPrefix: string
}
