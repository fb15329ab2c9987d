import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findRegistryProblem, npm } from './network.mjs'
import { root } from './root.mjs'
import { runTool } from './run-tool.mjs'
import { SetupError } from './setup-error.mjs'

/** pnpm's programs and their hashes. They need no Node and no install script. */
const pnpmManifests = fileURLToPath(new URL('pnpm/', import.meta.url))
const tools = join(root, '.tools')

/** Whether everything that the command needs has been installed before. */
export function isInstalled(/** @type {Purpose} */ purpose) {
  return isPnpmInstalled() && arePackagesInstalled(purpose)
}

/**
 * Installs pnpm and the packages of the lock files. A clone that has everything keeps it.
 * @param {import('./progress.mjs').Progress} progress
 * @param {Purpose} purpose
 */
export async function installPackages(progress, purpose) {
  const registryProblem = await progress.step('package registry', findRegistryProblem)
  // Without the registry, everything may still be in the caches of npm and pnpm.
  const source = registryProblem === undefined ? [] : ['--offline']
  try {
    if (!isPnpmInstalled()) await progress.step('pnpm into .tools/', () => installPnpm(source))
    const all = purposeWith(purpose)
    const name = all === 'running' ? 'packages' : 'packages, including checks and tests'
    if (!arePackagesInstalled(all)) await progress.step(name, () => installWorkspace(all, source))
  } catch (cause) {
    if (registryProblem === undefined) throw cause
    throw new SetupError(
      `The package registry cannot be reached (${registryProblem}). Check the network and the proxy, and the registry that ` +
        '`npm config get registry` prints. Then run the command again.',
    )
  }
}

/**
 * Installs the program for this platform alone: npm skips an optional package that it cannot download, without an error.
 * @param {string[]} source
 */
async function installPnpm(source) {
  const name = `@pnpm/exe.${platform}`
  const { packages } = JSON.parse(readFileSync(join(pnpmManifests, 'package-lock.json'), 'utf8'))
  const { optional, ...locked } = packages[`node_modules/${name}`] ?? {}
  if (!optional) throw new SetupError(`There is no pnpm for this machine (${platform}).`)
  const dependencies = { [name]: pnpmVersion }
  mkdirSync(tools, { recursive: true })
  writeJson('package.json', { private: true, dependencies })
  const lock = { '': { dependencies }, [`node_modules/${name}`]: locked }
  writeJson('package-lock.json', { lockfileVersion: 3, requires: true, packages: lock })
  const options = ['--prefix', tools, '--ignore-scripts', '--no-audit', '--no-fund', '--no-update-notifier', ...source]
  await runTool([...npm, 'ci', ...options], 'npm cannot install pnpm.')
}

/**
 * @param {string} name of a file in .tools/
 * @param {object} content
 */
function writeJson(name, content) {
  writeFileSync(join(tools, name), JSON.stringify(content, undefined, 2))
}

/**
 * @param {Purpose} purpose
 * @param {string[]} source
 */
async function installWorkspace(purpose, source) {
  const selection = purpose === 'running' ? ['--prod', ...runtimePackages.map((name) => `--filter=${name}`)] : []
  // `npm run audit` checks the policies: that takes a request for each of 700 packages, a minute on a first run. The hashes in
  // the lock file are verified all the same.
  const options = ['--frozen-lockfile', '--trust-lockfile', '--config.confirm-modules-purge=false']
  await runTool(
    [pnpm, 'install', '--reporter=append-only', ...options, ...source, ...selection],
    'pnpm cannot install the packages.',
  )
  writeFileSync(stampFile, `${manifestsHash()} ${purpose}`)
}

/**
 * Checks each version of the lock file against pnpm's policies, such as a minimum age.
 * @throws {SetupError} that names the versions
 */
export async function checkLockFile() {
  const options = ['--frozen-lockfile', '--lockfile-only', '--no-trust-lockfile', '--reporter=append-only']
  await runTool([pnpm, 'install', ...options], 'The lock file violates a policy of pnpm.')
}

/** Every workspace package except the tests and the root, which has the tools of the checks. */
const runtimePackages = ['@storekeep/*', '!@storekeep/test', '!@storekeep/chart']

const platform = `${process.platform}-${process.arch}`
/** The program. */
export const pnpm = join(tools, `node_modules/@pnpm/exe.${platform}/pnpm`)
const pnpmVersion = Object.values(readManifest(pnpmManifests).optionalDependencies)[0]

function isPnpmInstalled() {
  try {
    return existsSync(pnpm) && readManifest(join(pnpm, '..')).version === pnpmVersion
  } catch {
    return false
  }
}

/** @param {string} folder */
function readManifest(folder) {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
}

const stampFile = join(root, 'node_modules/.storekeep-installed')

function readStamp() {
  const [hash, purpose] = existsSync(stampFile) ? readFileSync(stampFile, 'utf8').split(' ') : []
  return { hash, purpose }
}

/** @param {Purpose} purpose */
function arePackagesInstalled(purpose) {
  const stamp = readStamp()
  return stamp.hash === manifestsHash() && stamp.purpose === purposeWith(purpose)
}

/**
 * Packages that were once installed for tests stay.
 * @param {Purpose} purpose
 */
function purposeWith(purpose) {
  return readStamp().purpose === 'everything' ? 'everything' : purpose
}
/** Changes with the manifests, the lock file, the machine and the folder. */
function manifestsHash() {
  const hash = createHash('sha256').update(`${process.platform} ${process.arch} ${root} ${pnpmVersion}`)
  const services = readdirSync(join(root, 'services')).map((name) => `services/${name}`)
  const folders = [
    '.',
    'proto',
    ...services,
    'gateway',
    'proto/records',
    'gateway/sdk',
    'deploy/bundle',
    'deploy/examples',
    'deploy/local',
    'proto/codec/plugin',
    'deploy/local/runtime',
    'helm',
    'test',
  ]
  for (const file of [
    'pnpm-lock.yaml',
    'pnpm-workspace.yaml',
    '.pnpmfile.mjs',
    ...folders.map((folder) => `${folder}/package.json`),
  ]) {
    if (!existsSync(join(root, file)))
      throw new SetupError(`${file} is missing. Is this a complete copy of the repository?`)
    hash.update(file).update(readFileSync(join(root, file)))
  }
  return hash.digest('hex')
}

/** @typedef {'running' | 'everything'} Purpose `running` leaves out the packages of checks and tests, half of all bytes */
