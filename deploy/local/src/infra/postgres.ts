import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { SetupError } from '../../bootstrap/setup-error.mjs'
import { type Child, lastLines, startChild, waitUntilReady } from '../processes/child.ts'
import { choosePort } from './ports.ts'
import { ensureCluster } from './postgres-cluster.ts'
import { findPostgres, type PostgresPrograms } from './postgres-programs.ts'
import { isAlive, killTree } from './process-tree.ts'
import { type RunningServer, toRunningServer } from './running-server.ts'

/** Starts Postgres on the loopback interface. Creates the cluster in `dataDir` if it is missing. */
export async function startPostgres(options: PostgresOptions): Promise<RunningServer> {
  const { dataDir } = options
  const logFile = options.logFile ?? `${dataDir}.log`
  mkdirSync(dirname(dataDir), { recursive: true })
  const programs = findPostgres(dataDir)
  const passwordFile = `${dataDir}.password`
  const password = await ensureCluster({
    programs,
    dataDir,
    passwordFile,
    newPassword: randomBytes(24).toString('base64url'),
    fast: options.fast ?? false,
  })
  await stopOrphan(dataDir)
  const { child, port } = await startServer(programs, options, logFile, password)
  return {
    ...toRunningServer(urlOf(port, password), port, child),
    kill: (signal) => killTree(child, signal),
    stop: async () => {
      killTree(child, 'SIGCONT')
      await child.stop()
    },
  }
}

async function startServer(programs: PostgresPrograms, options: PostgresOptions, logFile: string, password: string) {
  for (let attempt = 1; ; attempt++) {
    const port = await choosePort('Postgres', options.port)
    const child = await startChild({
      name: 'Postgres',
      ...programs.command('postgres', ['-D', options.dataDir, ...settings(port, options)]),
      logFile,
      stopSignal: 'SIGINT',
      stopTimeoutMs: 30_000,
    })
    try {
      await waitUntilReady(child, () => selectOne(urlOf(port, password)))
      return { child, port }
    } catch (cause) {
      await child.stop()
      if (attempt === 40 || !isTransient(child, options.port === undefined)) throw cause
      await sleep(250)
    }
  }
}

/** The backends of a killed server take a moment to exit, and another program may have taken the free port. */
function isTransient(child: Child, portIsFree: boolean): boolean {
  const log = lastLines(child, 6).join('\n')
  return /pre-existing shared memory|"postmaster.pid" already exists/.test(log) || (portIsFree && /in use/.test(log))
}

function settings(port: number, { fast = false, settings }: PostgresOptions): string[] {
  const values = {
    port,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: fast ? 440 : 330,
    timezone: 'UTC',
    log_timezone: 'UTC',
    log_checkpoints: 'off',
    // Without it, an error such as a duplicate key logs row values, which can identify a customer.
    log_error_verbosity: 'terse',
    jit: 'off',
    // synchronous_commit stays on, so that a killed server loses no acknowledged write.
    ...(fast
      ? {
          ...{ fsync: 'off', full_page_writes: 'off', scram_iterations: 1 },
          ...{ autovacuum_naptime: '10min', checkpoint_timeout: '1h', max_wal_size: '2GB', shared_buffers: '512MB' },
        }
      : {}),
    ...settings,
  }
  return Object.entries(values).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}

/** Resolves if the server accepts connections and responds. */
export async function selectOne(connectionString: string): Promise<void> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 2_000 })
  client.on('error', () => undefined)
  try {
    await client.connect()
    await client.query('select 1')
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** Waits for, then stops, a server that a killed start left running on this cluster. */
async function stopOrphan(dataDir: string): Promise<void> {
  const pidFile = join(dataDir, 'postmaster.pid')
  const pid = existsSync(pidFile) ? Number(readFileSync(pidFile, 'utf8').split('\n')[0]) : 0
  if (!(pid > 1)) return
  for (let tries = 0; isAlive(pid, dataDir); tries++) {
    if (tries === 20) process.kill(pid, 'SIGINT')
    if (tries === 100)
      throw new SetupError(`A Postgres server (process ${pid}) already runs on ${dataDir}. Stop it first.`)
    await sleep(100)
  }
  rmSync(pidFile, { force: true })
}

function urlOf(port: number, password: string): string {
  return `postgres://postgres:${password}@127.0.0.1:${port}/postgres`
}

export interface PostgresOptions {
  dataDir: string
  /** Default: a free port. */
  port?: number | undefined
  /** Default: `dataDir` + ".log". */
  logFile?: string | undefined
  /** For tests: data survives a crash of Postgres, but not a crash of the machine. */
  fast?: boolean
  /** Additional settings of the server, for tests. */
  settings?: Readonly<Record<string, string | number>>
}
