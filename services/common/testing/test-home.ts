import { randomBytes } from 'node:crypto'
import sql, { raw } from 'sql-template-tag'
import { createLogger } from '../src/log/index.ts'
import { createDatabase, provisionSchema } from '../src/postgres/index.ts'
import { requireEnv } from './require-env.ts'

/**
 * A database, a stream name and a Redis prefix that nobody else uses, and the settings of a service that lives
 * there. The servers are those that `npm test` starts.
 *
 * @param service name of the service, and so of its schema
 * @param own settings that only this service has
 */
export async function createTestHome(service: string, own: Env): Promise<TestHome> {
  const name = `test_${service.replaceAll('-', '_')}_${randomBytes(6).toString('hex')}`
  const password = randomBytes(12).toString('hex')
  const adminUrl = requireEnv('TEST_DATABASE_ADMIN_URL')
  await asAdmin(adminUrl, `create database ${name}`)
  await provisionSchema({ adminUrl: withDatabase(adminUrl, name), schema: service, role: name, password })

  const url = new URL(withDatabase(adminUrl, name))
  url.username = name
  url.password = password
  return {
    databaseUrl: url.href,
    env: {
      DATABASE_URL: url.href,
      NATS_URL: requireEnv('TEST_NATS_URL'),
      EVENTS_STREAM: name.toUpperCase(),
      REDIS_URL: requireEnv('TEST_REDIS_URL'),
      REDIS_KEY_PREFIX: `${name}:`,
      GRPC_PORT: '0',
      ENCRYPTION_KEY: randomBytes(32).toString('base64url'),
      ...own,
    },
    async drop() {
      await asAdmin(adminUrl, `drop database if exists ${name} with (force)`)
      await asAdmin(adminUrl, `drop role if exists ${name}`)
    },
  }
}

export type Env = Record<string, string>

export interface TestHome {
  /** Connects as the service's own role. */
  databaseUrl: string
  env: Env
  drop(): Promise<void>
}

function withDatabase(url: string, database: string): string {
  const changed = new URL(url)
  changed.pathname = `/${database}`
  return changed.href
}

async function asAdmin(url: string, statement: string): Promise<void> {
  const log = createLogger({ service: 'test', level: 'silent' })
  const admin = createDatabase({ url, applicationName: 'test', statementTimeoutMs: 30_000, log })
  try {
    await admin.query(sql`${raw(statement)}`)
  } finally {
    await admin.close()
  }
}
