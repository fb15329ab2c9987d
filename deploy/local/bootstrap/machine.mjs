import { accessSync, constants, existsSync, statfsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { assertPortFree } from './ports.mjs'
import { root } from './root.mjs'
import { SetupError } from './setup-error.mjs'

/**
 * Checks, before anything is downloaded, what would make the command fail later or without a clear cause.
 * @param {import('./arguments.mjs').Command} command
 * @param {{ installs: boolean }} options whether packages will be downloaded
 * @throws {SetupError}
 */
export async function checkMachine({ listens = false }, { installs }) {
  const data = resolve(process.env.DATA_DIR || join(root, '.data'))
  const folders = ['.', '.tools', '.infra', 'node_modules', 'proto'].map((name) => join(root, name))
  for (const folder of [...folders, data]) if (existsSync(folder)) assertWritable(folder)
  if (!installs) return
  assertSpace()
  if (listens) await assertPortsFree()
}

/** @param {string} folder */
function assertWritable(folder) {
  if (isWritable(folder)) return
  throw new SetupError(
    `Cannot write to ${folder}. Storekeep keeps its packages and its data in its own folder: ` +
      'give your user write access to it, or clone the repository to a folder that belongs to you.',
  )
}

/** @param {string} folder */
function isWritable(folder) {
  try {
    accessSync(folder, constants.W_OK)
    return true
  } catch {
    return false
  }
}

/** Packages, servers and the first data of `npm start` take 0.8 GB. */
const requiredBytes = 1e9

function assertSpace() {
  const { bavail, bsize } = statfsSync(root)
  const free = bavail * bsize
  if (free >= requiredBytes) return
  throw new SetupError(
    `Storekeep needs 1 GB of free disk space for its packages and servers, and ${root} has ${Math.floor(free / 1e6)} MB. ` +
      'Free some space, or clone the repository to another disk.',
  )
}

/** The script of the command checks all settings; on the first run that would be after the installation. */
async function assertPortsFree() {
  const { PORT, PAGES_PORT, DEMO_PORT, MAILBOX_PORT, HOST } = process.env
  const port = readPort('PORT', PORT || '8080')
  const pagesPort = readPort('PAGES_PORT', PAGES_PORT || String(port + 1))
  const demoPort = readPort('DEMO_PORT', DEMO_PORT || String(port + 2))
  const mailboxPort = readPort('MAILBOX_PORT', MAILBOX_PORT || String(port + 3))
  await assertPortFree('PORT', port, HOST || '127.0.0.1')
  await assertPortFree('PAGES_PORT', pagesPort, HOST || '127.0.0.1')
  await assertPortFree('DEMO_PORT', demoPort, '127.0.0.1')
  await assertPortFree('MAILBOX_PORT', mailboxPort, HOST || '127.0.0.1')
}

/**
 * @param {string} name
 * @param {string} text
 */
function readPort(name, text) {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0
  if (port >= 1 && port <= 65_535) return port
  throw new SetupError(`Invalid settings: ${name} must be a whole number from 1 to 65535.`)
}

/**
 * Lets npm, pnpm and other tools keep their caches in .tools/ where the home folder cannot be written, as in some containers.
 * Their settings, such as the registry, are still read from the home folder.
 */
export function useCachesOfTheCheckout() {
  if (isWritable(homedir())) return
  const caches = join(root, '.tools/cache')
  process.env.npm_config_cache = join(caches, 'npm')
  for (const name of ['XDG_CACHE_HOME', 'XDG_DATA_HOME', 'XDG_STATE_HOME', 'PNPM_HOME']) {
    process.env[name] = join(caches, name.toLowerCase())
  }
}
