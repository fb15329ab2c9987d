import { spawnSync } from 'node:child_process'
import { paths } from './paths.ts'

/** @returns what Git prints; undefined if it fails, for example outside of a repository */
export function git(...args: readonly string[]): string | undefined {
  const { status, stdout } = spawnSync('git', args, { cwd: paths.root, encoding: 'utf8' })
  return status === 0 ? stdout.trim() : undefined
}
