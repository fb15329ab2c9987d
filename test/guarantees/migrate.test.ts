import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { formatDatabaseUrl, parseDatabaseUrl } from '@storekeep/common/config'
import { createLogger } from '@storekeep/common/log'
import { migrate, readMigrateConfig } from '@storekeep/common/migrate'
import { runMigrations } from '@storekeep/common/postgres'
import { type RunningServer, startPostgres } from '@storekeep/local/infra'
import { onServer } from '@storekeep/test/kit'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 300_000 })
const log = createLogger({ service: 'test', level: 'silent' })
const password = 'p:/@ss'
let directory: string
let servers: RunningServer[]

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'storekeep-migrate-'))
  servers = await Promise.all(
    ['one', 'two'].map((name) => startPostgres({ dataDir: join(directory, name, 'cluster'), fast: true })),
  )
  // One administrator of both servers.
  for (const { url } of servers)
    await onServer(url, (client) => client.query(`create role admin superuser login password 'admin'`))
})
afterAll(async () => {
  await Promise.all(servers.map((server) => server.stop()))
  rmSync(directory, { recursive: true, force: true })
})

/** A service that has only the migrations of all services. */
function serviceOf(name: 'bans' | 'coupons') {
  return {
    name,
    migrate: (database: { url: string; cell: number }) =>
      runMigrations({ ...database, schema: name, directory, nodeNumber: 1, log }),
  }
}

function urlOn(server: RunningServer | undefined, credentials: { role?: string; password?: string }): string {
  const { hosts, database, params } = parseDatabaseUrl(server?.url ?? '')
  return formatDatabaseUrl({
    hosts,
    database,
    params,
    target: undefined,
    role: undefined,
    password: undefined,
    ...credentials,
  })
}

function schemasOf(server: RunningServer | undefined): Promise<string[]> {
  return onServer(server?.url ?? '', async (client) => {
    const { rows } = await client.query<{ name: string }>(`
      select schemaname as name from pg_tables where tablename = 'outbox' order by 1`)
    return rows.map(({ name }) => name)
  })
}

it("migrations create role and schema on the service's server, regardless of the server in the administrator's URL", async () => {
  const [one, two] = servers
  const admin = urlOn(one, { role: 'admin', password: 'admin' })
  for (const [name, server] of [
    ['bans', one],
    ['coupons', two],
  ] as const) {
    const config = readMigrateConfig({
      DATABASE_URL: urlOn(server, { role: name, password }),
      DATABASE_ADMIN_URL: admin,
    })
    await migrate(serviceOf(name), config, log)
  }
  expect([await schemasOf(one), await schemasOf(two)]).toEqual([['bans'], ['coupons']])
})

it('migrations use MIGRATIONS_DATABASE_URL with the credentials of DATABASE_URL, and reject another role', async () => {
  const [, two] = servers
  const settings = {
    // Nothing listens there.
    DATABASE_URL: `postgres://bans:${encodeURIComponent(password)}@127.0.0.1:1/postgres`,
    MIGRATIONS_DATABASE_URL: urlOn(two, {}),
    DATABASE_ADMIN_URL: 'postgres://admin:admin@127.0.0.1:1/postgres',
  }
  await migrate(serviceOf('bans'), readMigrateConfig(settings), log)
  expect(await schemasOf(two)).toContain('bans')
  const other = { ...settings, MIGRATIONS_DATABASE_URL: urlOn(two, { role: 'coupons' }) }
  await expect(migrate(serviceOf('bans'), readMigrateConfig(other), log)).rejects.toThrow('must have the role')
})
