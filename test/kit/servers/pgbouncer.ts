import { spawnSync } from 'node:child_process'
import { existsSync, globSync, mkdirSync, writeFileSync } from 'node:fs'
import { rename } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import {
  downloads,
  findOnPath,
  freePort,
  type RunningServer,
  selectOne,
  toRunningServer,
  unpackDebianPackages,
} from '@storekeep/local/infra'
import { startChild, waitUntilReady } from '@storekeep/local/processes'

/**
 * Starts PgBouncer in transaction mode on the loopback interface, in front of a Postgres server. Every role of the server can
 * log in.
 */
export async function startPgBouncer(options: PgBouncerOptions): Promise<RunningServer> {
  const { dir, serverUrl, settings = {}, parameters = '' } = options
  const server = new URL(serverUrl)
  const port = await freePort()
  const logFile = join(dir, 'pgbouncer.log')
  const usersFile = join(dir, 'users.txt')
  const configFile = join(dir, 'pgbouncer.ini')
  mkdirSync(dir, { recursive: true })
  writeFileSync(usersFile, `"${decodeURIComponent(server.username)}" "${decodeURIComponent(server.password)}"\n`, {
    mode: 0o600,
  })
  const all = {
    listen_addr: '127.0.0.1',
    listen_port: port,
    unix_socket_dir: '',
    auth_type: 'scram-sha-256',
    auth_file: usersFile,
    auth_user: decodeURIComponent(server.username),
    auth_dbname: 'postgres',
    admin_users: decodeURIComponent(server.username),
    pool_mode: 'transaction',
    max_prepared_statements: 500,
    ...settings,
  }
  const lines = Object.entries(all).map(([name, value]) => `${name} = ${value}`)
  writeFileSync(
    configFile,
    ['[databases]', `* = host=${server.hostname} port=${server.port}`, '[pgbouncer]', ...lines, ''].join('\n'),
    { mode: 0o600 },
  )
  const { command, args } = await findPgBouncer()
  // It does not run as root.
  const user = process.getuid?.() === 0 ? ['--user', 'nobody'] : []
  const child = await startChild({
    name: 'PgBouncer',
    command,
    args: [...args, ...user, configFile],
    logFile,
    // Ends immediately, instead of waiting for its clients.
    stopSignal: 'SIGQUIT',
  })
  server.port = String(port)
  server.search = parameters
  await waitUntilReady(child, () => selectOne(server.href))
  return toRunningServer(server.href, port, child)
}

export interface PgBouncerOptions {
  /** For its configuration and log. */
  dir: string
  /** Connects to the server as a superuser. */
  serverUrl: string
  /** The query parameters of the URL that it returns, such as `sslmode=require`. */
  parameters?: string
  /** Adds to or replaces the settings. */
  settings?: Readonly<Record<string, string | number>>
}

/** On the PATH if new enough, else from the Debian release that first had such a version. */
async function findPgBouncer(): Promise<Program> {
  const found = findOnPath('pgbouncer')?.command
  if (found !== undefined && isNewEnough(found)) return { command: found, args: [] }
  const unpacked = findUnpacked()
  if (unpacked) return unpacked
  const problem = await unpackDebianPackages(packages, {
    extent: 'alone',
    suite: 'trixie',
    target: unpackedRoot,
    keep: (root) => rename(root, unpackedRoot),
  })
  const downloaded = findUnpacked()
  if (downloaded) return downloaded
  throw new Error(
    `PgBouncer 1.21 or later is neither on the PATH nor available from Debian (${problem ?? 'not in the packages'}). Install it, for example with "brew install pgbouncer".`,
  )
}

/** Prepared statements in transaction mode need version 1.21. */
function isNewEnough(command: string): boolean {
  const [, major = 0, minor = 0] =
    /PgBouncer (\d+)\.(\d+)/.exec(spawnSync(command, ['--version']).stdout?.toString()) ?? []
  return Number(major) > 1 || Number(minor) >= 21
}

/** The system may have an older C library than these packages, so they bring one, with its loader. */
function findUnpacked(): Program | undefined {
  const program = join(unpackedRoot, 'usr/sbin/pgbouncer')
  const [loader] = globSync(join(unpackedRoot, 'usr/lib/*/ld-linux*.so.*'))
  if (loader === undefined || !existsSync(program)) return undefined
  return { command: loader, args: ['--library-path', dirname(loader), program] }
}

const unpackedRoot = join(downloads, 'pgbouncer')
const packages = [
  'pgbouncer',
  'libaudit1',
  'libc6',
  'libcap-ng0',
  'libcap2',
  'libcares2',
  'libevent-2.1-7t64',
  'libpam0g',
  'libssl3t64',
  'libsystemd0',
  'libzstd1',
  'zlib1g',
]

interface Program {
  command: string
  args: readonly string[]
}
