import {
  createEnvReader,
  type Environment,
  type RedisConfig,
  readRedisConfig,
  readServiceConfig,
  type ServiceConfig,
} from '@storekeep/common/config'
import { parseTokenKeys, type TokenKey } from './tokens/domain/token-keys.ts'

/** Reads the settings of this process. @throws ConfigError naming every missing or invalid setting */
export function readConfig(source: Environment = process.env): CustomersConfig {
  const env = createEnvReader(source)
  // Undefined for an invalid setting, which `finish` reports.
  const providers: typeof noProviders | undefined = env.custom('PROFILE_PROVIDERS', parseProviders, noProviders)
  const config: CustomersConfig = {
    ...readServiceConfig(env),
    redis: readRedisConfig(env),
    stores: { address: env.string('STORES_ADDRESS') },
    tokens: { keys: env.custom('TOKEN_KEYS', parseTokenKeys) },
    portal: { baseUrl: env.url('PORTAL_BASE_URL', ['http:', 'https:']) },
    steamSignIn: {
      storeBaseUrl: env.url('STORE_BASE_URL', ['http:', 'https:']),
      endpoint: env.url('STEAM_OPENID_URL', ['http:', 'https:'], 'https://steamcommunity.com/openid/login'),
      timeoutMs: 4000,
    },
    profiles: {
      steam: providers?.steam
        ? {
            baseUrl: env.url('STEAM_BASE_URL', ['http:', 'https:'], 'https://api.steampowered.com'),
            apiKey: env.string('STEAM_API_KEY'),
          }
        : undefined,
      mojang: providers?.mojang
        ? {
            baseUrl: env.url('MOJANG_BASE_URL', ['http:', 'https:'], 'https://api.mojang.com'),
            avatarUrl: env.optional('MINECRAFT_AVATAR_URL'),
          }
        : undefined,
      timeoutMs: 1000,
      cacheSize: 10_000,
    },
  }
  env.finish()
  return Object.freeze(config)
}

export interface CustomersConfig extends ServiceConfig {
  redis: RedisConfig
  stores: { address: string }
  /** The first key signs customer tokens, all keys verify them. */
  tokens: { keys: readonly TokenKey[] }
  /** Base of portal session links. */
  portal: { baseUrl: string }
  steamSignIn: SteamSignInConfig
  profiles: ProfilesConfig
}

export interface SteamSignInConfig {
  /** The address of the store pages, to which Steam sends shoppers back. */
  storeBaseUrl: string
  /** Steam's OpenID 2.0 endpoint. */
  endpoint: string
  timeoutMs: number
}

/** Providers of account profiles; undefined ones are not called. */
export interface ProfilesConfig {
  steam: { baseUrl: string; apiKey: string } | undefined
  /** `avatarUrl`: template with a `{uuid}` placeholder; Mojang itself serves no avatars. */
  mojang: { baseUrl: string; avatarUrl: string | undefined } | undefined
  timeoutMs: number
  cacheSize: number
}

function parseProviders(text: string): typeof noProviders {
  const names = text.split(',').map((name) => name.trim())
  const unknown = names.some((name) => !Object.hasOwn(noProviders, name))
  if (unknown) throw new Error(`must be a list of ${Object.keys(noProviders).join(', ')}`)
  return { steam: names.includes('steam'), mojang: names.includes('mojang') }
}

const noProviders = { steam: false, mojang: false }
