import { randomBytes } from 'node:crypto'
import { createLogger } from '@storekeep/common/log'
import { createDatabase, provisionSchema } from '@storekeep/common/postgres'
import sql, { raw } from 'sql-template-tag'

/**
 * A database, a stream name and a Redis prefix that nobody else uses, and the settings of a service that lives
 * there. The servers are those that `npm test` starts.
 */
export async function createTestHome(): Promise<TestHome> {
  const name = `test_customers_${randomBytes(6).toString('hex')}`
  const password = randomBytes(12).toString('hex')
  const adminUrl = setting('TEST_DATABASE_ADMIN_URL')
  await asAdmin(adminUrl, `create database ${name}`)
  await provisionSchema({ adminUrl: withDatabase(adminUrl, name), schema: 'customers', role: name, password })

  const url = new URL(withDatabase(adminUrl, name))
  url.username = name
  url.password = password
  return {
    databaseUrl: url.href,
    env: {
      DATABASE_URL: url.href,
      NATS_URL: setting('TEST_NATS_URL'),
      EVENTS_STREAM: name.toUpperCase(),
      REDIS_URL: setting('TEST_REDIS_URL'),
      REDIS_KEY_PREFIX: `${name}:`,
      GRPC_PORT: '0',
      ENCRYPTION_KEY: randomBytes(32).toString('base64url'),
      TOKEN_KEYS: `1:${randomBytes(32).toString('base64url')}`,
      PORTAL_BASE_URL: 'https://portal.example/',
      STORES_ADDRESS: '127.0.0.1:1',
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

function setting(name: string): string {
  const value = process.env[name]
  if (!value) throw new Error(`${name} is missing: these tests need the servers that npm test starts.`)
  return value
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
