import { createEnvReader, type Environment } from '@storekeep/common/config'

/** What `npm start` itself reads; every other setting goes on to the processes as it is. */
export function readSettings(environment: Environment): Settings {
  const env = createEnvReader(environment)
  const settings = {
    port: env.integer('PORT', { min: 1, max: 65_535, fallback: 8080 }),
    host: env.string('HOST', '127.0.0.1'),
    databaseUrl: environment.DATABASE_URL ? env.url('DATABASE_URL', ['postgres:', 'postgresql:']) : undefined,
    natsUrl: environment.NATS_URL ? env.url('NATS_URL', ['nats:', 'tls:']) : undefined,
    redisUrl: environment.REDIS_URL ? env.url('REDIS_URL', ['redis:', 'rediss:']) : undefined,
  }
  env.finish()
  return settings
}

/** Where this machine's own programs reach the gateway. */
export function baseUrlOf({ host, port }: Pick<Settings, 'host' | 'port'>): string {
  if (host === '0.0.0.0' || host === '::') return `http://localhost:${port}`
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}

export interface Settings {
  port: number
  host: string
  /** Servers of one's own; without these, ours are started. */
  databaseUrl: string | undefined
  natsUrl: string | undefined
  redisUrl: string | undefined
}
