import { fileURLToPath } from 'node:url'
import { createLogger } from '../src/log/index.ts'
import { type Database, createDatabase as openDatabase, runMigrations, timeLimits } from '../src/postgres/index.ts'
import { changeTimeLimits, createTestDatabase as createDatabase } from '../testing/test-database.ts'

/** Creates a migrated database with one schema, which no other test uses, and a stream name to go with it. */
export async function createTestDatabase(options: TestDatabaseOptions = {}): Promise<TestDatabase> {
  const { schema = 'common', cell = 0, nodeNumber = 15, directory = thingMigrations, timeLimitFactor = 10 } = options
  const { name, adminUrl, urlOf, drop } = await createDatabase([schema])
  const url = urlOf(schema)
  await runMigrations({ url, schema, directory, cell, nodeNumber, log: silentLog })
  await changeTimeLimits(url, { statement_timeout: timeLimits.statement_timeout * timeLimitFactor })
  const database = openDatabase({ url, applicationName: 'test', timeLimitFactor, log: silentLog })
  return {
    database,
    url,
    adminUrl,
    schema,
    role: new URL(url).username,
    stream: name.toUpperCase(),
    async drop() {
      await database.close()
      await drop()
    },
  }
}

/** Polls until `condition` holds; for effects that another process or timer brings about. Never a fixed sleep. */
export async function waitFor(condition: () => unknown, what: string, timeoutMs = 60_000): Promise<void> {
  const deadline = performance.now() + timeoutMs
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`Waited ${timeoutMs} ms in vain: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

export const silentLog = createLogger({ service: 'test', level: 'silent' })
export const thingMigrations = fileURLToPath(new URL('fixtures/migrations', import.meta.url))

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
  cell?: number
  nodeNumber?: number
  /** 10 by default, for busy machines; 1 for the limits of production. */
  timeLimitFactor?: number
  directory?: string
}
