import { createEnvReader, type Environment, readServiceConfig, type ServiceConfig } from '@storekeep/common/config'
import { parseNetworks } from '@storekeep/common/net'

/** Reads the settings of this process. @throws ConfigError naming every missing or invalid setting */
export function readConfig(source: Environment = process.env): WebhooksConfig {
  const env = createEnvReader(source)
  const config: WebhooksConfig = {
    ...readServiceConfig(env),
    outgoing: {
      allowHttp: env.boolean('WEBHOOKS_ALLOW_HTTP', false),
      allowedNetworks: env.custom('WEBHOOKS_ALLOWED_NETWORKS', parseNetworks, []),
    },
    attempts: {
      timeoutMs: env.integer('WEBHOOKS_TIMEOUT_MS', { min: 100, max: 60_000, fallback: 15_000 }),
      maintenanceMs: 60_000,
    },
    reencryptMs: 60_000,
  }
  env.finish()
  return Object.freeze(config)
}

export interface WebhooksConfig extends ServiceConfig {
  outgoing: {
    /** Whether URLs may start with http. */
    allowHttp: boolean
    /** Networks that requests may reach although they are not public: `10.1.0.0/16`, `fd00::/8`. */
    allowedNetworks: readonly string[]
  }
  attempts: {
    /** Time limit of a request, from the connection to the end of the response. Its lease lasts twice as long. */
    timeoutMs: number
    /** Interval at which events older than 30 days, and the deliveries of deleted endpoints, are deleted. */
    maintenanceMs: number
  }
  /** Interval at which secrets of an earlier encryption key are encrypted again. */
  reencryptMs: number
}
