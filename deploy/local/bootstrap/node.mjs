import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './root.mjs'
import { SetupError } from './setup-error.mjs'

const wantedMajor = 24

/**
 * The Node that runs Storekeep itself: this one when it is new enough, else the one of the runtime package.
 * @returns {string}
 */
export function findNode() {
  if (majorOf(process.version) >= wantedMajor) return process.execPath
  const platform = `${process.platform}-${process.arch}`
  for (const name of [`node-${platform}`, `node-bin-${platform}`]) {
    const command = join(root, 'deploy/local/runtime/node_modules', name, 'bin/node')
    if (!existsSync(command)) continue
    const { stdout, status } = spawnSync(command, ['--version'], { encoding: 'utf8' })
    if (status === 0 && majorOf(stdout) >= wantedMajor) return command
  }
  throw new SetupError(
    `Storekeep runs on Node ${wantedMajor}, and there is no package of it that works on this machine (${platform}). ` +
      `Install Node ${wantedMajor} and run the command again; this is Node ${process.versions.node}.`,
  )
}

/** @param {string} version */
function majorOf(version) {
  return Number(/^v?(\d+)/.exec(version)?.[1])
}
