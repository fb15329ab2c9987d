import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { isPortFree } from '../../bootstrap/ports.mjs'
import { checkNats, checkRedis } from '../system/reachable.ts'
import { type RunningServer, startNats, startPostgres, startRedis } from './index.ts'
import { freePort } from './ports.ts'
import { ensureCluster } from './postgres-cluster.ts'
import { asUnprivileged, findPackage } from './postgres-programs.ts'

describe('infra', () => {
  let folder: string
  let server: RunningServer | undefined

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'storekeep infra '))
  })

  afterEach(async () => {
    await server?.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  it('Postgres keeps acknowledged writes after SIGKILL and a restart on the same port', async () => {
    const dataDir = join(folder, 'postgres')
    server = await startPostgres({ dataDir, fast: true })
    await query(server.url, 'create table kept (value int)')
    await query(server.url, 'insert into kept values (7)')
    server.kill('SIGKILL')
    await server.exited
    const { port, url } = server
    server = await startPostgres({ dataDir, port, fast: true })
    expect(server.url).toBe(url)
    expect(await query(url, 'select value from kept')).toEqual([{ value: 7 }])
  })

  it.each([
    ['no value of a row', {}, false],
    ['row values by default (negative control)', { log_error_verbosity: 'default' }, true],
  ])('Postgres logs %s when a statement fails', async (_, settings, isLogged) => {
    const logFile = join(folder, 'postgres.log')
    server = await startPostgres({ dataDir: join(folder, 'postgres'), logFile, fast: true, settings })
    await query(server.url, 'create table player (steam_id text primary key)')
    const client = new pg.Client({ connectionString: server.url })
    await client.connect()
    const insert = () => client.query('insert into player values ($1)', ['76561198000000001'])
    await insert()
    await expect(insert()).rejects.toThrow(/duplicate key/)
    await client.end()
    await server.stop()
    const log = readFileSync(logFile, 'utf8')
    expect(log).toContain('duplicate key value violates unique constraint')
    expect(log.includes('76561198000000001')).toBe(isLogged)
  })

  it('Postgres pauses with all its backends, and stops while paused', async () => {
    server = await startPostgres({ dataDir: join(folder, 'postgres'), fast: true })
    const client = new pg.Client({ connectionString: server.url })
    client.on('error', () => undefined)
    await client.connect()
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
    server.kill('SIGSTOP')
    await expect.poll(() => stateOf(rows[0]?.pid)).toBe('T')
    const response = client.query('select 1 as one')
    server.kill('SIGCONT')
    expect((await response).rows).toEqual([{ one: 1 }])
    server.kill('SIGSTOP')
    await server.stop()
    await client.end().catch(() => undefined)
  })

  it('Redis and NATS listen on the loopback interface and restart on the same port after SIGKILL', async () => {
    for (const [start, check] of [
      [startRedisIn, (url: string) => checkRedis('REDIS_URL', url)],
      [startNatsIn, (url: string) => checkNats('NATS_URL', url)],
    ] as const) {
      const first = await start()
      first.kill('SIGKILL')
      await first.exited
      expect(await isPortFree(first.port, '127.0.0.1')).toBe(true)
      const second = await start(first.port)
      expect(second.url).toBe(first.url)
      await check(second.url)
      await second.stop()
    }
  })

  it('a port in use is reported in one line', async () => {
    const port = await freePort()
    server = await startRedisIn(port)
    await expect(startRedisIn(port)).rejects.toThrow(
      `Redis cannot listen on 127.0.0.1:${port}: the port is already in use.`,
    )
  })

  it.runIf(process.getuid?.() === 0 && process.platform === 'linux')(
    'Postgres runs as an unprivileged user if root has no user namespaces',
    async () => {
      const dataDir = join(folder, 'closed/data/postgres')
      mkdirSync(join(folder, 'closed/data'), { recursive: true, mode: 0o700 })
      const programs = asUnprivileged(findPackage(), dataDir)
      await ensureCluster({ programs, dataDir, passwordFile: `${dataDir}.password`, newPassword: 'x', fast: true })
      expect(statSync(join(dataDir, 'PG_VERSION')).uid).toBe(65_534)
    },
  )

  /** The state of a process as `ps` shows it; T: stopped. */
  function stateOf(pid: number | undefined): string | undefined {
    if (process.platform !== 'linux') return spawnSync('ps', ['-o', 'state=', '-p', `${pid}`]).stdout.toString()[0]
    return /\) (\w)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1]
  }

  function startRedisIn(port?: number): Promise<RunningServer> {
    return startRedis({ dir: join(folder, 'redis'), port })
  }

  function startNatsIn(port?: number): Promise<RunningServer> {
    return startNats({ dataDir: join(folder, 'nats'), port })
  }
})

async function query(connectionString: string, text: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString })
  client.on('error', () => undefined)
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}
