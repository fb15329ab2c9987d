import {
  createEnvReader,
  type Environment,
  type RedisConfig,
  readRedisConfig,
  readServiceConfig,
  type ServiceConfig,
} from '@storekeep/common/config'
import { parseTokenKeys, type TokenKey } from './domain/token-keys.ts'

/** The settings of this process; the only place that reads `process.env`. */
export function configFromProcess(): CustomersConfig {
  return readConfig(process.env)
}

/** @throws ConfigError naming every missing or invalid setting */
export function readConfig(source: Environment): CustomersConfig {
  const env = createEnvReader(source)
  // Undefined when the setting is wrong, which `finish` will tell.
  const asks: typeof nobody | undefined = env.custom('PROFILE_PROVIDERS', parseProviders, nobody)
  const config: CustomersConfig = {
    ...readServiceConfig(env),
    redis: readRedisConfig(env),
    stores: { address: env.string('STORES_ADDRESS') },
    tokens: { keys: env.custom('TOKEN_KEYS', parseTokenKeys) },
    portal: { baseUrl: env.url('PORTAL_BASE_URL', ['http:', 'https:']) },
    profiles: {
      steam: asks?.steam
        ? {
            baseUrl: env.url('STEAM_BASE_URL', ['http:', 'https:'], 'https://api.steampowered.com'),
            apiKey: env.string('STEAM_API_KEY'),
          }
        : undefined,
      mojang: asks?.mojang
        ? {
            baseUrl: env.url('MOJANG_BASE_URL', ['http:', 'https:'], 'https://api.mojang.com'),
            avatarUrl: env.optional('MINECRAFT_AVATAR_URL'),
          }
        : undefined,
      timeoutMs: env.integer('PROFILE_TIMEOUT_MS', { min: 10, max: 10_000, fallback: 1000 }),
      cacheSize: env.integer('PROFILE_CACHE_SIZE', { min: 0, max: 1_000_000, fallback: 10_000 }),
    },
  }
  env.finish()
  return Object.freeze(config)
}

export interface CustomersConfig extends ServiceConfig {
  redis: RedisConfig
  /** The stores service. */
  stores: { address: string }
  /** The first key signs customer tokens, all verify them. */
  tokens: { keys: readonly TokenKey[] }
  /** Where the links of portal sessions lead. */
  portal: { baseUrl: string }
  profiles: ProfilesConfig
}

/** Who is asked about accounts; a provider that is not configured is never asked. */
export interface ProfilesConfig {
  steam: { baseUrl: string; apiKey: string } | undefined
  /** `avatarUrl`: address of a player's picture, with `{uuid}` in it; Mojang itself has none. */
  mojang: { baseUrl: string; avatarUrl: string | undefined } | undefined
  timeoutMs: number
  cacheSize: number
}

function parseProviders(text: string): typeof nobody {
  const names = text.split(',').map((name) => name.trim())
  const unknown = names.some((name) => !Object.hasOwn(nobody, name))
  if (unknown) throw new Error(`must be a list of ${Object.keys(nobody).join(', ')}`)
  return { steam: names.includes('steam'), mojang: names.includes('mojang') }
}

const nobody = { steam: false, mojang: false }
