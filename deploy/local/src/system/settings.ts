import { createEnvReader, type Environment, parseNatsUrl, parseRedisUrl } from '@storekeep/common/config'

/** Reads the settings of `npm start` itself. All others are passed to the processes unchanged. */
export function readSettings(environment: Environment): Settings {
  const env = createEnvReader(environment)
  const settings = {
    port: env.integer('PORT', { min: 1, max: 65_535, fallback: 8080 }),
    pagesPort: env.integer('PAGES_PORT', { min: 1, max: 65_535, fallback: Number(environment.PORT || 8080) + 1 }),
    demoPort: env.integer('DEMO_PORT', { min: 1, max: 65_535, fallback: Number(environment.PORT || 8080) + 2 }),
    mailboxPort: env.integer('MAILBOX_PORT', { min: 1, max: 65_535, fallback: Number(environment.PORT || 8080) + 3 }),
    host: env.string('HOST', '127.0.0.1'),
    databaseUrl: environment.DATABASE_URL ? env.databaseUrl('DATABASE_URL') : undefined,
    natsUrl: environment.NATS_URL ? env.serverUrl('NATS_URL', parseNatsUrl) : undefined,
    redisUrl: environment.REDIS_URL ? env.serverUrl('REDIS_URL', parseRedisUrl) : undefined,
  }
  env.finish()
  return settings
}

/** The gateway's address for programs on this machine. */
export function baseUrlOf({ host, port }: Pick<Settings, 'host' | 'port'>): string {
  if (host === '0.0.0.0' || host === '::') return `http://localhost:${port}`
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}

export interface Settings {
  port: number
  /** Port of the checkout and portal pages. Default: `port` + 1. */
  pagesPort: number
  /** Port of the mailbox, which shows the emails to customers. Default: `port` + 3. */
  mailboxPort: number
  /** Port of the images and websites of the demo stores. Default: `port` + 2. */
  demoPort: number
  host: string
  /** External servers; `npm start` starts a server for each undefined URL. */
  databaseUrl: string | undefined
  natsUrl: string | undefined
  redisUrl: string | undefined
}
