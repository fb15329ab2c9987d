import { existsSync, lstatSync, mkdirSync, readdirSync, rmSync, statfsSync } from 'node:fs'
import { join } from 'node:path'
import { SetupError } from '../../bootstrap/setup-error.mjs'
import { isAlive } from '../infra/process-tree.ts'

/**
 * Creates the folder for the data of a test run's servers, which the caller removes. It is in memory where there is plenty: a
 * database of a test is a thousand files, and creating it on a disk costs three to ten times the CPU time.
 */
export function createDataFolder(place: string): string {
  const uid = process.getuid?.()
  if (uid === undefined || !hasMemoryFor(mostBytes)) return place
  const shared = join(memory, `storekeep-tests-${uid}`)
  mkdirSync(shared, { recursive: true, mode: 0o711 })
  const { uid: owner, mode } = lstatSync(shared)
  if (owner !== uid || (mode & 0o022) !== 0)
    throw new SetupError(`${shared} belongs to another user, or others may write to it. Remove it.`)
  removeLeftovers(shared)
  const folder = join(shared, String(process.pid))
  mkdirSync(folder, { mode: 0o711 })
  return folder
}

const memory = '/dev/shm'
/** A whole run writes a third of it. */
const mostBytes = 8 * 2 ** 30

function hasMemoryFor(bytes: number): boolean {
  if (process.platform !== 'linux' || !existsSync(memory)) return false
  const { bavail, bsize } = statfsSync(memory)
  return Math.min(bavail * bsize, process.availableMemory()) > bytes
}

/** Removes the folders of killed test runs. Each folder is named after the id of its process. */
export function removeLeftovers(folder: string): void {
  if (!existsSync(folder)) return
  for (const name of readdirSync(folder)) {
    if (!isAlive(Number(name), 'deploy/local/src/')) rmSync(join(folder, name), { recursive: true, force: true })
  }
}
