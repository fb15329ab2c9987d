import { createHash, randomBytes } from 'node:crypto'
import pg from 'pg'
import { formatDatabaseUrl, parseDatabaseUrl } from '../src/config/index.ts'
import { provisionSchema, timeLimits, withClient } from '../src/postgres/index.ts'
import { requireEnv } from './require-env.ts'

/**
 * Creates a database that no other test uses, with a schema and a role for each service.
 *
 * @param options.migrate brings the schemas up to date. It runs once per test run: its result is the template of all
 * databases with the same schemas, whose roles they share. Statements in these have ten times the usual limit, because the machine
 * may be busy.
 */
export async function createTestDatabase(
  schemas: readonly string[],
  { serverUrl = requireEnv('TEST_DATABASE_ADMIN_URL'), migrate, kept }: TestDatabaseOptions = {},
): Promise<TestDatabase> {
  const name = kept ?? `test_${randomBytes(6).toString('hex')}`
  if (migrate === undefined) {
    await onServer(serverUrl, async (client) => {
      const { rowCount } = await client.query('select from pg_database where datname = $1', [name])
      if (rowCount === 0) await client.query(`create database ${name}`)
    })
    const database = await provision(serverUrl, name, schemas, name)
    const roles = schemas.map((schema) => roleOf(name, schema))
    return { ...database, drop: async () => (kept === undefined ? drop(serverUrl, name, roles) : undefined) }
  }
  const template = await templateOf(serverUrl, schemas, migrate)
  // Copying the files of the template costs half as much as logging each of its pages.
  await onServer(serverUrl, (client) => client.query(`create database ${name} template ${template} strategy file_copy`))
  return { ...describe(serverUrl, name, schemas, template), drop: () => drop(serverUrl, name, []) }
}

/** Runs `work` with one connection. */
export async function onServer<T>(url: string, work: (client: pg.ClientBase) => Promise<T>): Promise<T> {
  return await withClient({ url, connectMs: 30_000 }, work)
}

/**
 * Changes time limits of a service's role in a test's database.
 * @param url connects as the role
 */
export async function changeTimeLimits(url: string, limits: Partial<Record<keyof typeof timeLimits, number>>) {
  await onServer(url, async (client) => {
    const { rows } = await client.query<{ name: string }>('select current_database() as name')
    const database = pg.escapeIdentifier(rows[0]?.name ?? '')
    for (const [name, ms] of Object.entries(limits))
      await client.query(`alter role current_user in database ${database} set ${name} = ${ms}`)
  })
}

/** The name of the migrated database of these schemas, which the first caller of the test run creates. */
function templateOf(serverUrl: string, schemas: readonly string[], migrate: Migrate): Promise<string> {
  const run = createHash('sha256').update(`${serverUrl} ${process.env.TEST_RUN}`).digest('hex').slice(0, 8)
  const template = ['test', run, ...schemas].join('_').replaceAll('-', '_')
  const known = templates.get(template)
  if (known) return known
  const created = onServer(serverUrl, async (client) => {
    // Other workers wait here until the template is complete.
    await client.query('select pg_advisory_lock(hashtextextended($1, 0))', [template])
    const { rowCount } = await client.query('select from pg_database where datname = $1', [template])
    if (rowCount !== 0) return template
    const unfinished = `${template}_unfinished`
    await client.query(`drop database if exists ${unfinished} with (force)`)
    await client.query(`create database ${unfinished}`)
    const { urlOf } = await provision(serverUrl, unfinished, schemas, template)
    for (const schema of schemas) {
      // Settings of a role in a database are not copied with the database.
      const role = roleOf(template, schema)
      await client.query(`alter role ${role} set search_path = ${pg.escapeIdentifier(schema)}, public`)
      for (const [name, ms] of Object.entries({ ...timeLimits, statement_timeout: 10 * timeLimits.statement_timeout }))
        await client.query(`alter role ${role} set ${name} = ${ms}`)
      await migrate(urlOf(schema), schema)
    }
    await client.query(`alter database ${unfinished} rename to ${template}`)
    return template
  })
  templates.set(template, created)
  return created
}

const templates = new Map<string, Promise<string>>()

async function provision(serverUrl: string, name: string, schemas: readonly string[], owner: string) {
  const database = describe(serverUrl, name, schemas, owner)
  for (const schema of schemas) {
    await provisionSchema({
      adminUrl: database.adminUrl,
      schema,
      role: roleOf(owner, schema),
      password: database.password,
    })
  }
  return database
}

/** @param owner begins the names of the roles */
function describe(serverUrl: string, name: string, schemas: readonly string[], owner: string) {
  const admin = { ...parseDatabaseUrl(serverUrl), database: name }
  // Only the workers can derive it: it depends on the administrator's password.
  const password = createHash('sha256').update(`${serverUrl} ${owner}`).digest('hex').slice(0, 24)
  return {
    name,
    adminUrl: formatDatabaseUrl(admin),
    password,
    urlOf(schema: string): string {
      if (!schemas.includes(schema)) throw new Error(`The database has no schema ${schema}.`)
      return formatDatabaseUrl({ ...admin, role: roleOf(owner, schema), password })
    },
  }
}

function roleOf(owner: string, schema: string): string {
  return `${owner}_${schema.replaceAll('-', '_')}`
}

async function drop(serverUrl: string, name: string, roles: readonly string[]): Promise<void> {
  if (isRemovedWithRun(serverUrl)) return
  await onServer(serverUrl, async (client) => {
    await client.query(`drop database if exists ${name} with (force)`)
    for (const role of roles) await client.query(`drop role if exists ${role}`)
  })
}

/**
 * Whether the test run has started the server and removes it with all databases. To drop each one costs a checkpoint and a
 * thousand deleted files, after which some file systems take three times as long to create the next database.
 */
function isRemovedWithRun(serverUrl: string): boolean {
  const { TEST_DATABASE_ADMIN_URL, TEST_SERVER_USERS = '' } = process.env
  return serverUrl === TEST_DATABASE_ADMIN_URL && TEST_SERVER_USERS.split(',').includes('Postgres')
}

type Migrate = (url: string, schema: string) => Promise<void>

export interface TestDatabaseOptions {
  /** Connects as an administrator; the server of the test run unless given. */
  serverUrl?: string
  migrate?: Migrate
  /** The name of a database to create once and never drop. */
  kept?: string
}

export interface TestDatabase {
  name: string
  /** Connects to the database as an administrator. */
  adminUrl: string
  /** Of the roles of the schemas. */
  password: string
  /** Connects as the role that owns the schema. */
  urlOf(schema: string): string
  drop(): Promise<void>
}
