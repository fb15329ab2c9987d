import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { isAlive } from '../infra/process-tree.ts'

/** Removes the folders of runs that were killed before they could do so; each is named for its process. */
export function removeLeftovers(folder: string): void {
  if (!existsSync(folder)) return
  for (const name of readdirSync(folder)) {
    if (!isAlive(Number(name), 'deploy/local/src/')) rmSync(join(folder, name), { recursive: true, force: true })
  }
}
