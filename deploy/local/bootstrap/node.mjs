import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { downloads, unpackDebianPackages } from './debian.mjs'
import { root } from './root.mjs'
import { SetupError } from './setup-error.mjs'

const requiredMajor = 26
/** Holds libatomic.so.1, which Node needs since version 25 and a minimal Linux lacks. */
const libraries = join(downloads, 'node-libraries')

/**
 * Finds the Node that runs Storekeep: this one if it is new enough, else the one in the runtime package, for which a missing
 * library is downloaded. Sets LD_LIBRARY_PATH for it.
 * @param {import('./progress.mjs').Progress} progress
 * @returns {Promise<string>}
 */
export async function findNode(progress) {
  if (isNewEnough(process.version)) return process.execPath
  const platform = `${process.platform}-${process.arch}`
  const command = [`node-${platform}`, `node-bin-${platform}`]
    .map((name) => join(root, 'deploy/local/runtime/node_modules', name, 'bin/node'))
    .find((path) => existsSync(path))
  if (command !== undefined) {
    if (runs(command)) return command
    process.env.LD_LIBRARY_PATH = [libraries, process.env.LD_LIBRARY_PATH].filter(Boolean).join(':')
    if (runs(command)) return command
    const problem = await progress.step('libatomic1 into .infra/', downloadLibrary)
    if (runs(command)) return command
    throw new SetupError(
      `Storekeep needs Node ${requiredMajor} or later. The one from npm does not start on this machine (${platform}); it ` +
        `probably needs libatomic.so.1, which cannot be downloaded from Debian (${problem ?? 'the package does not contain it'}). ` +
        'Install the package libatomic1 (Debian, Ubuntu) or libatomic (Fedora, Alpine), and run the command again.',
    )
  }
  throw new SetupError(
    `Storekeep needs Node ${requiredMajor} or later, and there is no npm package of it for this machine (${platform}). ` +
      `Install it and run the command again; this is Node ${process.versions.node}.`,
  )
}

/** @returns {Promise<string | undefined>} the reason for a failure */
async function downloadLibrary() {
  return await unpackDebianPackages(['libatomic1'], {
    extent: 'alone',
    target: join(libraries, 'libatomic.so.1'),
    keep: async (unpacked) => {
      await mkdir(libraries, { recursive: true })
      const files = await readdir(unpacked, { recursive: true })
      for (const name of ['libatomic.so.1.2.0', 'libatomic.so.1']) {
        const file = files.find((path) => path.endsWith(`/${name}`))
        if (file !== undefined) await rename(join(unpacked, file), join(libraries, name))
      }
    },
  })
}

/** @param {string} command */
function runs(command) {
  const { stdout, status } = spawnSync(command, ['--version'], { encoding: 'utf8' })
  return status === 0 && isNewEnough(stdout)
}

/** @param {string} version */
function isNewEnough(version) {
  const [, major] = /^v?(\d+)\./.exec(version) ?? []
  return Number(major) >= requiredMajor
}
