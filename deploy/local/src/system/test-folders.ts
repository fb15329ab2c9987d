import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { isAlive } from '../infra/process-tree.ts'

/** Removes the folders of killed test runs. Each folder is named after the id of its process. */
export function removeLeftovers(folder: string): void {
  if (!existsSync(folder)) return
  for (const name of readdirSync(folder)) {
    if (!isAlive(Number(name), 'deploy/local/src/')) rmSync(join(folder, name), { recursive: true, force: true })
  }
}
