import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createDatabase, provisionSchema, requireSchemaVersion, runMigrations } from '../src/postgres/index.ts'
import { onServer } from '../testing/test-database.ts'
import { createTestDatabase, silentLog, type TestDatabase, thingMigrations } from './harness.ts'

describe('migrations', () => {
  let test: TestDatabase
  let directory: string

  beforeAll(async () => {
    test = await createTestDatabase()
    directory = await mkdtemp(join(tmpdir(), 'migrations-'))
  })
  afterAll(async () => {
    await test.drop()
    await rm(directory, { recursive: true })
  })

  function options(schema = test.schema) {
    return { url: test.url, schema, directory, cell: 0, nodeNumber: 15, log: silentLog }
  }

  it('apply each file once when several runs start at the same time', async () => {
    await writeFile(join(directory, '0001-create-things.sql'), 'select 1;')
    await writeFile(join(directory, '0002-count-runs.sql'), 'create table run (at timestamptz default now());')
    await writeFile(join(directory, '0003-run.sql'), 'insert into run default values; select pg_sleep(0.1);')
    await Promise.all([1, 2, 3, 4].map(() => runMigrations(options())))
    expect(await test.database.query(sql`select * from run`)).toHaveLength(1)
  })

  it('reject an older schema and accept a newer one', async () => {
    await expect(requireSchemaVersion(test.database, directory)).resolves.toBeUndefined()
    await expect(requireSchemaVersion(test.database, thingMigrations)).resolves.toBeUndefined()
    await writeFile(join(directory, '0004-next.sql'), 'select 1;')
    await expect(requireSchemaVersion(test.database, directory)).rejects.toThrow('0004-next')
    await runMigrations(options())
    await expect(requireSchemaVersion(test.database, directory)).resolves.toBeUndefined()
  })

  it('roll back a file that fails, and continue with it in the next run', async () => {
    await writeFile(join(directory, '0005-half.sql'), 'create table half (id int); select nonsense;')
    await expect(runMigrations(options())).rejects.toThrow()
    await writeFile(join(directory, '0005-half.sql'), 'create table half (id int);')
    await runMigrations(options())
    expect(await test.database.query(sql`select * from half`)).toEqual([])
  })

  it('reject a cell outside 0 to 63 and a service outside 0 to 15', async () => {
    await expect(runMigrations({ ...options(), nodeNumber: 16 })).rejects.toThrow(RangeError)
    await expect(runMigrations({ ...options(), cell: 64 })).rejects.toThrow(RangeError)
  })

  it('reject a schema of another cell before they change anything', async () => {
    const other = { ...options(), cell: 1 }
    await writeFile(join(directory, '0006-more.sql'), 'create table more (id int);')
    await expect(runMigrations(other)).rejects.toThrow('CELL is 1, but the database was created for cell 0.')
    await expect(test.database.query(sql`select * from more`)).rejects.toThrow('does not exist')
    await runMigrations(options())
    await expect(runMigrations(other)).rejects.toThrow('CELL is 1')
  })

  it('set the time limits of the role that logs in, also if it acts as the owner, and keep those it has', async () => {
    const role = `${test.role}_b`
    await onServer(test.adminUrl, async (client) => {
      await client.query(`create role ${role} login password 'secret' in role ${test.role}`)
      const { rows } = await client.query<{ name: string }>('select current_database() as name')
      for (const setting of [`role = '${test.role}'`, 'search_path = common, public', 'lock_timeout = 700'])
        await client.query(`alter role ${role} in database ${rows[0]?.name} set ${setting}`)
    })
    const url = Object.assign(new URL(test.url), { username: role, password: 'secret' }).href
    await runMigrations({ ...options(), url })
    const { rows } = await onServer(url, (client) =>
      client.query(`select current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock,
        current_setting('idle_in_transaction_session_timeout') as idle,
        current_setting('client_connection_check_interval') as check, current_user as role`),
    )
    expect(rows).toEqual([{ statement: '3s', lock: '700ms', idle: '5s', check: '250ms', role: test.role }])
  })

  it('create an index while the table is written, and again after a crash, alone or beside other runs', async () => {
    const name = '0007-index-entries'
    await test.database.query(sql`create table entry (id int)`)
    const statement = 'create index concurrently if not exists entry_id on entry (id);'
    await writeFile(join(directory, `${name}.sql`), `-- Comments are allowed;\n${statement}`)
    const state = async () => {
      const rows = await test.database.query<{ valid: boolean }>(sql`
        select indisvalid as valid from pg_index where indexrelid = to_regclass('entry_id')`)
      return rows.map(({ valid }) => (valid ? 'valid' : 'invalid'))
    }
    await onServer(test.url, async (reader) => {
      // The index cannot be finished while an older snapshot exists.
      await reader.query('begin isolation level repeatable read; select from entry')
      const crashed = runMigrations(options()).catch((error: unknown) => error)
      await onServer(test.adminUrl, async (admin) => {
        const waiting = `from pg_stat_progress_create_index where datname = current_database() and phase like 'waiting%'`
        await expect.poll(async () => (await admin.query(`select ${waiting}`)).rowCount, { timeout: 60_000 }).toBe(1)
        await test.database.query(sql`insert into entry values (1)`)
        await admin.query(`select pg_terminate_backend(pid) ${waiting}`)
      })
      expect(await crashed).toBeInstanceOf(Error)
      // Negative control: the statement alone accepts the unfinished index.
      await reader.query('commit')
      await reader.query(statement)
      expect(await state()).toEqual(['invalid'])
      await reader.query('begin isolation level repeatable read; select from entry')
      await expect(runMigrations({ ...options(), indexWaitMs: 1 })).rejects.toThrow('Index entry_id waited too long')
      const expectSession = (query: string) =>
        expect
          .poll(
            () =>
              test.database.query(sql`
                select from pg_stat_activity
                where datname = current_database() and query ~ ${query} and pid <> pg_backend_pid()`),
            { timeout: 60_000 },
          )
          .toHaveLength(1)
      const first = runMigrations({ ...options(), indexWaitMs: 60_000 })
      await expectSession('index concurrently')
      const second = runMigrations(options())
      await expectSession('advisory_xact_lock|^rollback')
      await reader.query('commit')
      await Promise.all([first, second])
    })
    expect(await state()).toEqual(['valid'])
    expect(await test.database.query(sql`select from schema_migration where name = ${name}`)).toHaveLength(1)
  })

  it('reject other statements in a file that creates an index concurrently', async () => {
    const file = join(directory, '0008-mixed.sql')
    for (const other of ['create table mixed (id int)', 'create index concurrently mixed_id on entry (id)']) {
      await writeFile(file, `create index concurrently if not exists mixed on entry (id);\n${other};`)
      await expect(runMigrations(options())).rejects.toThrow('Migration 0008-mixed contains more than')
    }
    await rm(file)
  })

  it("prevent services from accessing each other's tables", async () => {
    const role = `${test.role}_other`
    await provisionSchema({ adminUrl: test.adminUrl, schema: 'other', role, password: 'secret' })
    const url = new URL(test.url)
    url.username = role
    url.password = 'secret'
    await runMigrations({ ...options('other'), url: url.href, directory: thingMigrations })
    const other = createDatabase({ url: url.href, applicationName: 'test', log: silentLog })
    try {
      await other.query(sql`insert into thing (name) values ('mine')`)
      expect(await other.query(sql`select name from thing`)).toEqual([{ name: 'mine' }])
      await expect(other.query(sql`select * from common.thing`)).rejects.toThrow('permission denied for schema common')
      await expect(test.database.query(sql`select * from other.thing`)).rejects.toThrow('permission denied')
      await expect(other.query(sql`create table public.leak (id int)`)).rejects.toThrow('permission denied')
    } finally {
      await other.close()
    }
  })
})
