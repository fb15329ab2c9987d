import { randomBytes } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { createLogger } from '../src/log/index.ts'
import { createDatabase, type Database, provisionSchema, runMigrations } from '../src/postgres/index.ts'
import { requireEnv } from '../testing/require-env.ts'

/**
 * A database of its own for one test file: a fresh schema and role in a fresh Postgres database, migrated, with a
 * stream name that nobody else uses. Needs TEST_DATABASE_ADMIN_URL; `drop` removes all of it.
 */
export async function createTestDatabase(options: TestDatabaseOptions = {}): Promise<TestDatabase> {
  const { schema = 'common', nodeNumber = 1000, directory = thingMigrations } = options
  const suffix = randomBytes(6).toString('hex')
  const databaseName = `test_${suffix}`
  const role = `test_${schema}_${suffix}`
  const password = randomBytes(12).toString('hex')
  await asAdmin(adminUrl(), (client) => client.query(`create database ${databaseName}`))

  const ownAdminUrl = withDatabase(adminUrl(), databaseName)
  const url = new URL(ownAdminUrl)
  url.username = role
  url.password = password
  await provisionSchema({ adminUrl: ownAdminUrl, schema, role, password })
  await runMigrations({ url: url.href, schema, directory, nodeNumber, log: silentLog })
  const database = createDatabase({ url: url.href, applicationName: 'test', log: silentLog })

  return {
    database,
    url: url.href,
    adminUrl: ownAdminUrl,
    schema,
    role,
    stream: `TEST_${suffix.toUpperCase()}`,
    async drop() {
      await database.close()
      await asAdmin(adminUrl(), async (client) => {
        await client.query(`drop database if exists ${databaseName} with (force)`)
        await client.query(`drop role if exists ${role}`)
      })
    },
  }
}

/** Polls until `condition` holds; for effects that another process or timer brings about. Never a fixed sleep. */
export async function waitFor(condition: () => unknown, what: string, timeoutMs = 20_000): Promise<void> {
  const deadline = performance.now() + timeoutMs
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`Waited ${timeoutMs} ms in vain: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

export const silentLog = createLogger({ service: 'test', level: 'silent' })
export const thingMigrations = fileURLToPath(new URL('fixtures/migrations', import.meta.url))

export async function asAdmin(url: string, work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await work(client)
  } finally {
    await client.end()
  }
}

export interface TestDatabase {
  database: Database
  /** Connects as the schema's own role. */
  url: string
  /** Connects to the same database as an administrator. */
  adminUrl: string
  schema: string
  role: string
  stream: string
  drop(): Promise<void>
}

interface TestDatabaseOptions {
  schema?: string
  nodeNumber?: number
  directory?: string
}

function adminUrl(): string {
  return requireEnv('TEST_DATABASE_ADMIN_URL')
}

function withDatabase(url: string, database: string): string {
  const changed = new URL(url)
  changed.pathname = `/${database}`
  return changed.href
}
