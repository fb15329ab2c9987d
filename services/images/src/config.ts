import { createEnvReader, type Environment, readServiceConfig, type ServiceConfig } from '@storekeep/common/config'
import { parseNetworks } from '@storekeep/common/net'

/** Reads the settings of this process. @throws ConfigError naming every missing or invalid setting */
export function readConfig(source: Environment = process.env): ImagesConfig {
  const env = createEnvReader(source)
  const config: ImagesConfig = {
    ...readServiceConfig(env),
    outgoing: {
      allowHttp: env.boolean('IMAGES_ALLOW_HTTP', false),
      allowedNetworks: env.custom('IMAGES_ALLOWED_NETWORKS', parseNetworks, []),
    },
    fetching: {
      timeoutMs: env.integer('IMAGES_TIMEOUT_MS', { min: 100, max: 60_000, fallback: 5000 }),
      prefetchMs: 1000,
    },
    sources: { maxPerStore: 20_000, maintenanceMs: 60_000 },
  }
  env.finish()
  return Object.freeze(config)
}

export interface ImagesConfig extends ServiceConfig {
  outgoing: {
    /** Whether images may be fetched from URLs that start with http. */
    allowHttp: boolean
    /** Networks that requests may reach although they are not public: `10.1.0.0/16`, `fd00::/8`. */
    allowedNetworks: readonly string[]
  }
  fetching: {
    /** Time limit for fetching an image with its redirects, and separately for decoding it. */
    timeoutMs: number
    /** Interval at which the images that catalogs name for the first time are fetched. */
    prefetchMs: number
  }
  sources: {
    /** Images per store. Beyond it, an image of a shopper is forgotten, or the new image is ignored. */
    maxPerStore: number
    /** Interval at which images that no session needs any longer are deleted. */
    maintenanceMs: number
  }
}
