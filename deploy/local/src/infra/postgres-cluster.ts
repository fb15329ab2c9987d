import { execFile } from 'node:child_process'
import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { SetupError } from '../../bootstrap/setup-error.mjs'
import type { PostgresPrograms } from './postgres-programs.ts'

const run = promisify(execFile)
const serverVersion = '18'

/**
 * Creates the cluster if it is missing, and returns the password of its superuser. A run that is killed halfway leaves
 * no partial cluster.
 */
export async function ensureCluster(options: ClusterOptions): Promise<string> {
  const { programs, dataDir, passwordFile } = options
  if (existsSync(join(dataDir, 'PG_VERSION'))) {
    checkVersion(dataDir)
    if (existsSync(passwordFile)) return readFileSync(passwordFile, 'utf8').trim()
    throw new SetupError(
      `${passwordFile} is missing; without it, the database in ${dataDir} cannot be opened. Start from scratch with --reset.`,
    )
  }
  const unfinished = `${dataDir}.unfinished`
  rmSync(unfinished, { recursive: true, force: true })
  writeFileSync(passwordFile, `${options.newPassword}\n`, { mode: 0o600, flush: true })
  programs.own(passwordFile)
  const { command, args, spawn } = programs.command('initdb', [
    ...['-D', unfinished, '--username', 'postgres', '--pwfile', passwordFile, '--auth', 'scram-sha-256'],
    ...['--encoding', 'UTF8', '--locale-provider', 'builtin', '--builtin-locale', 'C.UTF-8', '--locale', 'C'],
    ...(options.fast ? ['--no-sync'] : []),
    '--no-instructions',
  ])
  try {
    await run(command, args, { ...spawn, timeout: 120_000 })
  } catch (cause) {
    const output = cause instanceof Error && 'stderr' in cause ? String(cause.stderr) : ''
    const reason = output.trim() === '' ? String(cause) : output
    throw new SetupError(`Postgres cannot create its data folder ${dataDir}.`, reason.trim().split('\n').slice(-12))
  }
  chmodSync(unfinished, 0o700)
  renameSync(unfinished, dataDir)
  if (!options.fast) syncFolder(dirname(dataDir))
  return options.newPassword
}

function checkVersion(dataDir: string): void {
  const version = readFileSync(join(dataDir, 'PG_VERSION'), 'utf8').trim()
  if (version === serverVersion) return
  throw new SetupError(
    `The database in ${dataDir} belongs to Postgres ${version}; this is Postgres ${serverVersion}. Start from scratch with --reset, or set DATABASE_URL.`,
  )
}

/** Without this, a power failure could undo the rename, and the next start would create an empty cluster. */
function syncFolder(path: string): void {
  const folder = openSync(path, 'r')
  try {
    fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
}

interface ClusterOptions {
  programs: PostgresPrograms
  dataDir: string
  /** Beside the cluster; readable by its owner only. */
  passwordFile: string
  newPassword: string
  /** Does not write the files to disk, so a power failure may destroy the cluster. */
  fast: boolean
}
