import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { SetupError } from '../../bootstrap/setup-error.mjs'
import { isAlive } from '../infra/process-tree.ts'

/**
 * Takes the lock file, or fails and names the process that holds it. Takes over the lock of a dead process. The file
 * also holds the addresses of the running system, for `npm run admin`.
 *
 * @param mark part of the holder's command line, which tells it from an unrelated process with the same id
 */
export function takeLock(file: string, takenMessage: (holder: LockContent) => string, mark = commandMark): Lock {
  mkdirSync(dirname(file), { recursive: true })
  const own = `${file}.${process.pid}`
  writeFileSync(own, JSON.stringify({ pid: process.pid }), { mode: 0o600 })
  try {
    for (let attempt = 0; attempt < 10; attempt++) {
      if (tryLink(own, file)) return heldLock(file)
      const holder = readLock(file)
      if (holder && isAlive(holder.pid, mark)) throw new SetupError(takenMessage(holder))
      moveAway(file, holder)
    }
  } finally {
    rmSync(own, { force: true })
  }
  throw new SetupError(`Cannot take the lock file ${file}. Remove it and try again.`)
}

export function readLock(file: string): LockContent | undefined {
  try {
    const content: LockContent = JSON.parse(readFileSync(file, 'utf8'))
    return Number.isInteger(content.pid) ? content : undefined
  } catch {
    return undefined
  }
}

/** The content of the lock file while its holder is alive. */
export function readLiveLock(file: string, mark = commandMark): LockContent | undefined {
  const holder = readLock(file)
  return holder && isAlive(holder.pid, mark) ? holder : undefined
}

/** A link fails if the file exists, so exactly one of two processes succeeds, and the file is always complete. */
function tryLink(own: string, file: string): boolean {
  try {
    linkSync(own, file)
    return true
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'EEXIST') return false
    throw cause
  }
}

/** Removes a stale lock. If another process has replaced it since it was read, puts that one back. */
function moveAway(file: string, stale: LockContent | undefined): void {
  const aside = `${file}.stale.${process.pid}`
  try {
    renameSync(file, aside)
  } catch {
    return
  }
  if (readLock(aside)?.pid !== stale?.pid) tryLink(aside, file)
  rmSync(aside, { force: true })
}

function heldLock(file: string): Lock {
  return {
    describe(content) {
      const unfinished = `${file}.${process.pid}`
      writeFileSync(unfinished, JSON.stringify({ pid: process.pid, ...content }), { mode: 0o600 })
      renameSync(unfinished, file)
    },
    release: () => rmSync(file, { force: true }),
  }
}

/** Part of the command line of every command. */
const commandMark = 'deploy/local/src/'

export interface LockContent {
  pid: number
  base_url?: string
  /** The numbers of the cells. */
  cells?: readonly number[]
  /** CELLS, and the address settings of the services (`STORES_ADDRESS`, `CELL_1_STORES_ADDRESS`). */
  addresses?: Record<string, string>
  /** URL of each process's metrics. */
  metrics?: Record<string, string>
}

export interface Lock {
  /** Adds the addresses of the system to the file. */
  describe(content: Omit<LockContent, 'pid'>): void
  release(): void
}
