import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { root as repository } from './root.mjs'

const run = promisify(execFile)

/** Downloaded programs and libraries. */
export const downloads = join(repository, '.infra')

/**
 * Downloads Debian packages and unpacks them into a temporary folder. Installs nothing and needs no root.
 * @param {readonly string[]} packages
 * @param {object} options
 * @param {'with dependencies' | 'alone'} options.extent whether to download their missing dependencies, too
 * @param {string} [options.suite] a Debian release. Default: the system's
 * @param {string} options.target if it exists afterwards, a failure is ignored: another process was faster
 * @param {(root: string) => Promise<void>} options.keep gets the folder of the unpacked files and moves the required ones to `target`
 * @returns {Promise<string | undefined>} the reason for a failure
 */
export async function unpackDebianPackages(packages, { extent, suite, target, keep }) {
  await mkdir(downloads, { recursive: true })
  const work = await mkdtemp(join(downloads, 'debian-'))
  try {
    const archives = await download(packages, { extent, suite, work })
    const root = join(work, 'root')
    for (const archive of archives) await run('dpkg-deb', ['--extract', archive, root])
    await keep(root)
    return undefined
  } catch (cause) {
    return existsSync(target) ? undefined : reasonOf(cause)
  } finally {
    await rm(work, { recursive: true, force: true })
  }
}

/**
 * Uses the package lists of the system first, and newly fetched lists if those are missing or stale.
 * @param {readonly string[]} packages
 * @param {{ extent: 'with dependencies' | 'alone', suite: string | undefined, work: string }} options
 */
async function download(packages, { extent, suite, work }) {
  const cache = join(work, 'cache')
  const state = join(work, 'state')
  await mkdir(join(cache, 'archives/partial'), { recursive: true })
  await mkdir(join(state, 'lists/partial'), { recursive: true })
  const common = [
    ...['-o', 'Debug::NoLocking=true'],
    ...['-o', 'APT::Sandbox::User='],
    ...['-o', `Dir::Cache=${cache}`],
    ...['-o', `Dir::Cache::archives=${cache}/archives/`],
  ]
  const fetchedLists = [
    ...(suite === undefined ? [] : await sourcesOf(suite, work)),
    ...['-o', `Dir::State=${state}`],
    ...['-o', `Dir::State::lists=${state}/lists/`],
    ...['-o', 'Dir::State::status=/var/lib/dpkg/status'],
    ...['-o', 'Acquire::Languages=none'],
  ]
  const archives = join(cache, 'archives')
  const get = extent === 'alone' ? ['download'] : ['install', '--download-only', '--yes', '--no-install-recommends']
  // `apt-get download` writes to the working directory.
  const options = {
    cwd: archives,
    env: { ...process.env, LC_ALL: 'C', DEBIAN_FRONTEND: 'noninteractive' },
    timeout: 180_000,
  }
  try {
    if (suite !== undefined) throw new Error('The system has no lists of this release.')
    await run('apt-get', [...get, ...common, ...packages], options)
  } catch (cause) {
    if (isMissing(cause)) throw cause
    await run('apt-get', ['update', '-o', 'APT::Update::Post-Invoke::=true', ...common, ...fetchedLists], options)
    await run('apt-get', [...get, ...common, ...fetchedLists, ...packages], options)
  }
  return (await readdir(archives)).filter((name) => name.endsWith('.deb')).map((name) => join(archives, name))
}

/**
 * Another release, from the server that the system gets its packages from.
 * @param {string} suite
 * @param {string} work
 */
async function sourcesOf(suite, work) {
  const { stdout } = await run('apt-get', ['indextargets', '--format', '$(REPO_URI)', 'Created-By: Packages'])
  const archive = stdout.split('\n').find((uri) => /\/debian\/?$/.test(uri))
  if (archive === undefined) throw new Error('E: the system has no package source of Debian')
  const file = join(work, 'sources.list')
  const keys = '/usr/share/keyrings/debian-archive-keyring.gpg'
  await writeFile(file, `deb ${existsSync(keys) ? `[signed-by=${keys}] ` : ''}${archive} ${suite} main\n`)
  return ['-o', `Dir::Etc::sourcelist=${file}`, '-o', 'Dir::Etc::sourceparts=/dev/null']
}

/** @param {unknown} cause */
function isMissing(cause) {
  return cause instanceof Error && 'code' in cause && cause.code === 'ENOENT'
}

/** @param {unknown} cause */
function reasonOf(cause) {
  if (isMissing(cause)) return 'apt-get is not installed'
  const text = cause instanceof Error && 'stderr' in cause ? String(cause.stderr) : String(cause)
  const lines = text.split('\n').filter((line) => /^(E|W|Err):?/.test(line))
  return (lines.at(-1) ?? text.trim().split('\n').at(-1) ?? 'unknown').replace(/^[EW]:\s*/, '').slice(0, 200)
}
