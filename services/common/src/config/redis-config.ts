import type { EnvReader } from './env.ts'

/** The settings of a process that connects to Redis. No other has them: whoever holds the address may empty it. */
export function readRedisConfig(env: EnvReader): RedisConfig {
  return {
    url: env.url('REDIS_URL', ['redis:', 'rediss:']),
    keyPrefix: env.string('REDIS_KEY_PREFIX', 'storekeep:'),
  }
}

export interface RedisConfig {
  url: string
  /** What keys begin with; the same for all processes that share what is in Redis. */
  keyPrefix: string
}
