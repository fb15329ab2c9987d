import { randomBytes } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { spawnEntry, startTcpProxy } from '@storekeep/common/testing'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { codeServices } from './src/code.ts'

const services = codeServices.map(({ name }) => name)
const database = `test_migrate_${randomBytes(6).toString('hex')}`
const adminUrl = process.env.TEST_DATABASE_ADMIN_URL ?? ''

/** The programs that the containers of the migrations Job run, on an empty database. */
describe('migrate.ts', () => {
  beforeAll(() => asAdmin(`create database ${database}`))
  afterAll(async () => {
    await asAdmin(`drop database if exists ${database} with (force)`)
    for (const service of services) await asAdmin(`drop role if exists ${roleOf(service)}`)
  })

  it('fails if the role does not exist and there is no administrator', async () => {
    const { code, stderr } = await migrate('stores')
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^Start failed: .+\n$/)])
  })

  it('creates the role and the schema and applies each migration once, also in two concurrent processes', async () => {
    const runs = await Promise.all([migrate('stores', adminUrl), migrate('stores', adminUrl)])
    expect(runs.map(({ code, stderr }) => [code, stderr])).toEqual(Array(2).fill([0, '']))
    expect(runs.flatMap(applied).sort()).toEqual(migrationsOf('stores'))
    expect(await schemaOwner('stores')).toBe(roleOf('stores'))
  })

  it('does the same for all other services', async () => {
    const others = services.filter((name) => name !== 'stores')
    const { code, stderr, stdout } = await migrateInOneProcess(others)
    expect([code, stderr]).toEqual([0, ''])
    for (const service of others) {
      const own = stdout.split('\n').filter((line) => line.includes(`"service":"${service}"`))
      expect(applied({ stdout: own.join('\n') }).sort()).toEqual(migrationsOf(service))
      expect(await schemaOwner(service)).toBe(roleOf(service))
    }
  })

  it('waits for an unreachable database', async () => {
    const proxy = await startTcpProxy(adminUrl)
    proxy.cut()
    try {
      const { output, exited } = start('stores', {
        DATABASE_URL: addressOf('stores', proxy.url),
        DATABASE_ADMIN_URL: proxy.url,
      })
      await expect.poll(() => output.stdout, { timeout: 60_000 }).toContain('waiting for the database')
      expect(JSON.parse(output.stdout)).toMatchObject({ address: new URL(proxy.url).host })
      proxy.pass()
      expect(await exited).toMatchObject({ code: 0, stderr: '' })
    } finally {
      await proxy.close()
    }
  })

  it('does nothing if the schema is up to date, without an administrator', async () => {
    const run = await migrate('stores')
    expect([run.code, applied(run)]).toEqual([0, []])
    expect(run.stdout).toContain('schema is up to date')
  })

  it('names missing and invalid settings without printing their values', async () => {
    const wrong = await run('stores', { DATABASE_ADMIN_URL: 'mysql://admin:hunter2@db/x' })
    expect(wrong.code).toBe(1)
    expect(wrong.stderr).toBe(
      'Invalid settings: DATABASE_URL is missing; DATABASE_ADMIN_URL must be a URL that starts with postgres:// or postgresql://.\n',
    )
  })

  it('rejects a DATABASE_URL without a password', async () => {
    const { code, stderr } = await run('stores', {
      DATABASE_URL: 'postgres://stores@db/x',
      DATABASE_ADMIN_URL: adminUrl,
    })
    expect([code, stderr]).toEqual([1, 'Start failed: DATABASE_URL must contain the role and password to create.\n'])
  })
})

function migrate(service: string, admin?: string): Promise<Run> {
  return run(service, { DATABASE_URL: addressOf(service), ...(admin && { DATABASE_ADMIN_URL: admin }) })
}

/** Much faster than a process for each service. */
function migrateInOneProcess(names: readonly string[]): Promise<Run> {
  const targets = JSON.stringify(names.map((name) => [addressOf(name), entryOf(name).href]))
  const file = new URL('./src/migrate-services.ts', import.meta.url)
  return spawnEntry(file, [targets], { DATABASE_ADMIN_URL: adminUrl }).exited
}

function run(service: string, env: Record<string, string>): Promise<Run> {
  return start(service, env).exited
}

function start(service: string, env: Record<string, string>) {
  return spawnEntry(entryOf(service), [], env)
}

function entryOf(service: string): URL {
  return new URL(`../../services/${service}/src/migrate.ts`, import.meta.url)
}

/** The URL of the database for a service's role. */
function addressOf(service: string, server = adminUrl): string {
  const url = new URL(server)
  Object.assign(url, { username: roleOf(service), password: 'a secret', pathname: `/${database}` })
  return url.href
}

/** The migrations that a run applied, according to its log. */
function applied({ stdout }: Pick<Run, 'stdout'>): string[] {
  const lines = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  return lines.filter(({ msg, message }) => (msg ?? message) === 'migration applied').map(({ migration }) => migration)
}

function migrationsOf(service: string): string[] {
  const folders = [
    ['base/', '../../services/common/src/postgres/base-migrations'],
    ['', `../../services/${service}/src/db/migrations`],
  ] as const
  const names = folders.flatMap(([prefix, folder]) =>
    readdirSync(fileURLToPath(new URL(folder, import.meta.url)))
      .filter((file) => file.endsWith('.sql'))
      .map((file) => prefix + file.replace(/\.sql$/, '')),
  )
  return names.sort()
}

function roleOf(service: string): string {
  return `${database}_${service.replaceAll('-', '_')}`
}

async function schemaOwner(service: string): Promise<string | undefined> {
  const url = new URL(adminUrl)
  url.pathname = `/${database}`
  const rows = await query(
    url.href,
    `select pg_get_userbyid(nspowner) as owner from pg_namespace where nspname = '${service}'`,
  )
  return rows[0]?.owner
}

async function asAdmin(statement: string): Promise<void> {
  await query(adminUrl, statement)
}

async function query(url: string, statement: string): Promise<{ owner?: string }[]> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query(statement)).rows
  } finally {
    await client.end()
  }
}

interface Run {
  code: number | null
  stdout: string
  stderr: string
}
