import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { SetupError } from '../../bootstrap/setup-error.mjs'
import { isAlive } from '../infra/process-tree.ts'

/**
 * Takes the lock file, or fails naming the process that holds it. The lock of a dead process is taken over. While it
 * is held it also says where the running system is, for `npm run admin`.
 */
export function takeLock(file: string, takenMessage: (holder: LockContent) => string, mark = commandMark): Lock {
  mkdirSync(dirname(file), { recursive: true })
  const own = `${file}.${process.pid}`
  writeFileSync(own, JSON.stringify({ pid: process.pid }), { mode: 0o600 })
  try {
    for (let tries = 0; tries < 10; tries++) {
      if (tryLink(own, file)) return heldLock(file)
      const holder = readLock(file)
      if (holder && isAlive(holder.pid, mark)) throw new SetupError(takenMessage(holder))
      moveAway(file, holder)
    }
  } finally {
    rmSync(own, { force: true })
  }
  throw new SetupError(`The lock file ${file} could not be taken. Remove it and try again.`)
}

export function readLock(file: string): LockContent | undefined {
  try {
    const content: LockContent = JSON.parse(readFileSync(file, 'utf8'))
    return Number.isInteger(content.pid) ? content : undefined
  } catch {
    return undefined
  }
}

/** The running system's lock, if a process that lives holds it. */
export function readLiveLock(file: string, mark = commandMark): LockContent | undefined {
  const holder = readLock(file)
  return holder && isAlive(holder.pid, mark) ? holder : undefined
}

/** Linking fails when the file exists, so of two processes exactly one succeeds, and never with half a file. */
function tryLink(own: string, file: string): boolean {
  try {
    linkSync(own, file)
    return true
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'EEXIST') return false
    throw cause
  }
}

/** Removes a stale lock, unless another process has replaced it since it was read: that one is put back. */
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

/** Part of the command line of every command; tells a holder from an unrelated process with the same id. */
const commandMark = 'deploy/local/src/'

export interface LockContent {
  pid: number
  base_url?: string
  /** Settings by which others find the services. */
  addresses?: Record<string, string>
  /** Where each process tells its metrics. */
  metrics?: Record<string, string>
}

export interface Lock {
  /** Adds to the file where the system is. */
  describe(content: Omit<LockContent, 'pid'>): void
  release(): void
}
