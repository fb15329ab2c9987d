import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './root.mjs'
import { SetupError } from './setup-error.mjs'

const requiredMajor = 24
/** The first version whose worker threads report their CPU time. */
const requiredMinor = 6

/**
 * Finds the Node that runs Storekeep: this one if it is new enough, else the one in the runtime package.
 * @returns {string}
 */
export function findNode() {
  if (isNewEnough(process.version)) return process.execPath
  const platform = `${process.platform}-${process.arch}`
  for (const name of [`node-${platform}`, `node-bin-${platform}`]) {
    const command = join(root, 'deploy/local/runtime/node_modules', name, 'bin/node')
    if (!existsSync(command)) continue
    const { stdout, status } = spawnSync(command, ['--version'], { encoding: 'utf8' })
    if (status === 0 && isNewEnough(stdout)) return command
  }
  throw new SetupError(
    `Storekeep needs Node ${requiredMajor}.${requiredMinor} or later, and no npm package of it works on this machine (${platform}). ` +
      `Install it and run the command again; this is Node ${process.versions.node}.`,
  )
}

/** @param {string} version */
function isNewEnough(version) {
  const [, major, minor] = /^v?(\d+)\.(\d+)/.exec(version) ?? []
  return Number(major) > requiredMajor || (Number(major) === requiredMajor && Number(minor) >= requiredMinor)
}
