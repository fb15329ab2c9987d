import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { formatDatabaseUrl, parseDatabaseUrl } from '@storekeep/common/config'
import { createLogger } from '@storekeep/common/log'
import {
  createDatabase,
  type Database,
  type MigrationOptions,
  runMigrations,
  withBulkConnection,
} from '@storekeep/common/postgres'
import { createMetrics } from '@storekeep/common/telemetry'
import { createAuthority, mountCertificate } from '@storekeep/common/testing/certificates'
import { createTestDatabase, type TestDatabase } from '@storekeep/common/testing/database'
import type { RunningServer } from '@storekeep/local/infra'
import { onServer, waitFor } from '@storekeep/test/kit'
import { startPgBouncer } from '@storekeep/test/kit/servers'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { expectCancellation } from './expect-cancellation.ts'

// PgBouncer in transaction mode: consecutive statements and transactions of a client use different sessions of Postgres.

vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 })
const serverUrl = process.env.TEST_DATABASE_ADMIN_URL ?? ''
const unavailable = { code: 'service-unavailable' }
/** The protocol's code of a request for TLS. */
const tlsRequest = 80_877_103
const lines: string[] = []
const log = createLogger({ service: 'test', level: 'info', destination: { write: (line) => void lines.push(line) } })

describe('through PgBouncer', () => {
  let directory: string
  let pooler: RunningServer
  let test: TestDatabase
  let url: string
  let options: MigrationOptions

  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'storekeep-pooler-'))
    chmodSync(directory, 0o711)
    pooler = await startPgBouncer({ dir: join(directory, 'pgbouncer'), serverUrl, settings: { default_pool_size: 2 } })
    test = await createTestDatabase(['pooled'])
    url = throughPooler(test.urlOf('pooled'))
    options = { url, schema: 'pooled', directory, cell: 0, nodeNumber: 9, log }
    writeFileSync(join(directory, '0001-thing.sql'), 'create table thing (id bigint primary key);')
    // Provisions roles like an operator: the migrations must set the limits.
    await onServer(test.adminUrl, (client) => client.query(`alter role ${role()} in database ${test.name} reset all`))
    await onServer(test.adminUrl, (client) =>
      client.query(`alter role ${role()} in database ${test.name} set search_path = pooled, public`),
    )
  })
  afterAll(async () => {
    await pooler.stop()
    await test.drop()
    rmSync(directory, { recursive: true })
  })

  function throughPooler(direct: string, server = pooler): string {
    return formatDatabaseUrl({ ...parseDatabaseUrl(direct), hosts: [{ host: '127.0.0.1', port: server.port }] })
  }
  function role(): string {
    return parseDatabaseUrl(test.urlOf('pooled')).role ?? ''
  }
  async function using<T>(
    work: (database: Database) => Promise<T>,
    own: { url?: string; timeLimitFactor?: number } = {},
  ) {
    const database = createDatabase({ url, applicationName: 'test', timeLimitFactor: 10, log, ...own })
    try {
      return await work(database)
    } finally {
      await database.close()
    }
  }
  function sessionLocks(): Promise<number> {
    return onServer(test.adminUrl, async (client) => {
      const { rowCount } = await client.query(`select from pg_locks where locktype = 'advisory'
        and database = (select oid from pg_database where datname = current_database())`)
      return rowCount ?? 0
    })
  }
  function console(command: string): Promise<Record<string, unknown>[]> {
    const admin = formatDatabaseUrl({ ...parseDatabaseUrl(pooler.url), database: 'pgbouncer' })
    return onServer(admin, async (client) => (await client.query(command)).rows)
  }

  it('migrations run repeatedly and concurrently, and a run that ended halfway blocks no later one', async () => {
    await runMigrations(options)
    await Promise.all([runMigrations(options), runMigrations(options)])
    writeFileSync(join(directory, '0002-slow.sql'), 'select pg_sleep(600);')
    const interrupted = runMigrations(options).catch((error: unknown) => error)
    await onServer(test.adminUrl, async (client) => {
      const end = `select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and wait_event = 'PgSleep'`
      await waitFor('the migration to run', async () => (await client.query(end)).rowCount === 1)
    })
    expect(await interrupted).toBeInstanceOf(Error)
    writeFileSync(join(directory, '0002-slow.sql'), 'select 1;')
    await runMigrations(options)
    expect(await sessionLocks()).toBe(0)
    // Negative control: a lock of the session outlives its client.
    await onServer(url, (client) => client.query('select pg_advisory_lock(1)'))
    expect(await sessionLocks()).toBe(1)
    await console('RECONNECT')
  })

  it('statements end at the time limits of the role, and missing limits are reported', async () => {
    const endless = () => using((database) => database.query(sql`select pg_sleep(600)`), { timeLimitFactor: 100 })
    const cause = { cause: { code: '57014', message: 'canceling statement due to statement timeout' } }
    await expect(endless()).rejects.toMatchObject({ ...unavailable, ...cause })
    const missing = async (from: string) => {
      const metrics = createMetrics({ service: 'test' })
      const database = createDatabase({ url: from, applicationName: 'test', log, metrics })
      try {
        await database.query(sql`select 1`)
        // The check of the connection runs before or after this statement.
        await database.query(sql`select 1`)
        return [...(await metrics.registry.metrics()).matchAll(/^postgres_time_limit_missing\{.*\} 1$/gm)].length
      } finally {
        await database.close()
      }
    }
    expect(await missing(url)).toBe(0)
    await onServer(test.adminUrl, (client) =>
      client.query(`alter role ${role()} in database ${test.name} reset statement_timeout`),
    )
    await console('RECONNECT')
    expect(await missing(url)).toBe(1)
    expect(lines.join('')).toContain('"limit":"statement_timeout"')
    await runMigrations(options)
    await console('RECONNECT')
    expect(await missing(url)).toBe(0)
  })

  it('migrations create an index concurrently, and its raised time limits reach no other client', async () => {
    writeFileSync(
      join(directory, '0003-index.sql'),
      'create index concurrently if not exists thing_again on thing (id);',
    )
    await Promise.all([runMigrations(options), runMigrations(options)])
    const limits = new Set<unknown>()
    let isOver = false
    const others = [1, 2, 3].map(() =>
      using(async (database) => {
        while (!isOver)
          for (const row of await database.query(sql`show statement_timeout`)) limits.add(Object.values(row)[0])
      }),
    )
    const requireRaised = `do $$ begin if current_setting('statement_timeout') <> '1h' then raise 'not raised'; end if; end $$`
    await Promise.all(
      [1, 2, 3].map(() =>
        withBulkConnection({ url, applicationName: 'test' }, async (bulk) => {
          for (let n = 0; n < 20; n += 1) await bulk.alone(requireRaised)
        }),
      ),
    )
    isOver = true
    await Promise.all(others)
    expect([...limits]).toEqual(['3s'])
    // Negative control: the session that a client changes is the next one's.
    await onServer(url, (client) => client.query('set statement_timeout = 1000'))
    expect(await using((database) => database.query(sql`show statement_timeout`))).toEqual([
      { statement_timeout: '1s' },
    ])
    await console('RECONNECT')
  })

  it('a caller that leaves ends its own statement and never the statement of another client', async () => {
    const one = await startPgBouncer({ dir: join(directory, 'one'), serverUrl, settings: { default_pool_size: 1 } })
    const single = throughPooler(test.urlOf('pooled'), one)
    try {
      await using((database) => expectCancellation(database, test), { url: single, timeLimitFactor: 1000 })
      await using(
        async (database) => {
          // Callers leave around the end of their statements on the only server connection, for which others wait.
          for (let n = 0; n < 100; n += 1) {
            const leaving = new AbortController()
            const left = database.scans(leaving).query(sql`select pg_sleep(0.001)`)
            const others = [1, 2].map(() => using((other) => other.query(sql`select pg_sleep(0.002)`), { url: single }))
            setTimeout(() => leaving.abort(), n % 8)
            await left.catch(() => undefined)
            await Promise.all(others)
          }
        },
        { url: single },
      )
      // Negative control: the backend of an ended statement runs the next client's statement.
      const [backend] = await using(
        (database) => database.query<{ pid: number }>(sql`select pg_backend_pid() as pid`),
        {
          url: single,
        },
      )
      await using(
        async (database) => {
          const next = database.query(sql`select pg_sleep(2)`).catch((error: unknown) => error)
          await onServer(test.adminUrl, (client) =>
            waitFor(
              'the next statement',
              async () =>
                (
                  await client.query(
                    `select pg_cancel_backend(pid) from pg_stat_activity
                  where pid = $1 and wait_event = 'PgSleep'`,
                    [backend?.pid],
                  )
                ).rowCount === 1,
            ),
          )
          expect(await next).toMatchObject({ cause: { code: '57014' } })
        },
        { url: single },
      )
    } finally {
      await one.stop()
    }
  })

  it('a pooler that requires TLS handles cancellation and long statements, too', async () => {
    const { ca, issue } = await createAuthority()
    const files = mountCertificate(join(directory, 'certificate'), { ...(await issue(['localhost'])), ca }).config
    const secure = await startPgBouncer({
      dir: join(directory, 'secure'),
      serverUrl,
      parameters: 'sslmode=no-verify',
      settings: {
        client_tls_sslmode: 'require',
        client_tls_cert_file: files.certFile,
        client_tls_key_file: files.keyFile,
        default_pool_size: 2,
      },
    })
    const own = parseDatabaseUrl(test.urlOf('pooled'))
    // PgBouncer accepts requests for cancellation without TLS, too, but their keys must not be readable.
    const firstCodes: number[] = []
    const recorder = createServer((inside) => {
      const outside = connect(secure.port, '127.0.0.1')
      inside.on('error', () => undefined).on('close', () => outside.destroy())
      outside.on('error', () => undefined).on('close', () => inside.destroy())
      inside.once('data', (bytes) => firstCodes.push(Buffer.isBuffer(bytes) ? bytes.readInt32BE(4) : 0))
      inside.pipe(outside).pipe(inside)
    })
    await new Promise<void>((resolve) => recorder.listen(0, '127.0.0.1', resolve))
    const hosts = [{ host: 'localhost', port: (recorder.address() as AddressInfo).port }]
    const params = { sslmode: 'verify-full', sslrootcert: files.caFile }
    const verified = formatDatabaseUrl({ ...own, hosts, params })
    try {
      await using((database) => expectCancellation(database, test), { url: verified, timeLimitFactor: 1000 })
      await withBulkConnection({ url: verified, applicationName: 'test' }, async (bulk) => {
        await bulk.transaction(async (tx) => {
          expect(await tx.query(sql`show statement_timeout`)).toEqual([{ statement_timeout: '1h' }])
          await tx.query(sql`create table indexed (id bigint)`)
        })
        await bulk.alone('create index concurrently on indexed (id)')
      })
      expect(new Set(firstCodes)).toEqual(new Set([tlsRequest]))
      // Negative control: without TLS, it accepts no client.
      const plain = formatDatabaseUrl({ ...own, hosts })
      await expect(using((database) => database.ping(), { url: plain })).rejects.toMatchObject(unavailable)
    } finally {
      await secure.stop()
      await new Promise((resolve) => recorder.close(resolve))
    }
  })

  it('a pooler without prepared statements is named as the reason', async () => {
    const old = await startPgBouncer({
      dir: join(directory, 'old'),
      serverUrl,
      settings: { max_prepared_statements: 0, default_pool_size: 2 },
    })
    try {
      const failures = await using(
        async (database) => {
          const failed: unknown[] = []
          for (let n = 0; n < 20; n += 1) {
            const statements = [1, 2, 3].map((part) =>
              database.transaction((tx) => tx.query(sql`select pg_sleep(0.01), ${part}::int`)),
            )
            for (const one of await Promise.allSettled(statements))
              if (one.status === 'rejected') failed.push(one.reason)
          }
          return failed
        },
        { url: throughPooler(test.urlOf('pooled'), old) },
      )
      expect(failures[0]).toMatchObject({
        ...unavailable,
        cause: { message: expect.stringContaining('max_prepared_statements') },
      })
    } finally {
      await old.stop()
    }
  })
})
