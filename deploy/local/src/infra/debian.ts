import { execFile } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { paths } from '../paths.ts'

const run = promisify(execFile)
const unpackedRoot = join(paths.infra, 'debian')

/** Finds a program in the unpacked packages; `env` lets it find its libraries. */
export function findDebianProgram(
  name: string,
): { kind: 'program'; command: string; env: Record<string, string>; root: string } | undefined {
  for (const folder of ['usr/sbin', 'usr/bin', 'usr/local/bin']) {
    const command = join(unpackedRoot, folder, name)
    if (existsSync(command))
      return { kind: 'program', command, env: { LD_LIBRARY_PATH: libraryPath() }, root: unpackedRoot }
  }
  return undefined
}

/**
 * Downloads packages with their missing dependencies and unpacks them into .infra/debian. Installs nothing and needs no
 * root.
 * @returns the reason for a failure
 */
export function downloadDebianPrograms(packages: readonly string[]): Promise<string | undefined> {
  return unpack(packages, 'with dependencies', unpackedRoot, async (root) => {
    if (existsSync(unpackedRoot)) await rm(unpackedRoot, { recursive: true, force: true })
    await rename(root, unpackedRoot)
  })
}

/**
 * Downloads one package without its dependencies and moves one program of it to `target`.
 * @returns the reason for a failure
 */
export function downloadDebianProgram(
  packageName: string,
  program: string,
  target: string,
): Promise<string | undefined> {
  return unpack([packageName], 'alone', target, (root) => rename(join(root, program), target))
}

/** @param keep gets the folder of the unpacked files and moves the required ones to `target` */
async function unpack(
  packages: readonly string[],
  extent: Extent,
  target: string,
  keep: (root: string) => Promise<void>,
): Promise<string | undefined> {
  await mkdir(paths.infra, { recursive: true })
  const work = await mkdtemp(join(paths.infra, 'debian-'))
  try {
    const archives = await download(packages, extent, work)
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

type Extent = 'with dependencies' | 'alone'

/** Uses the package lists of the system first, and newly fetched lists if those are missing or stale. */
async function download(packages: readonly string[], extent: Extent, work: string): Promise<string[]> {
  const cache = join(work, 'cache')
  const state = join(work, 'state')
  await mkdir(join(cache, 'archives/partial'), { recursive: true })
  await mkdir(join(state, 'lists/partial'), { recursive: true })
  const common = [
    '-o',
    'Debug::NoLocking=true',
    '-o',
    'APT::Sandbox::User=',
    '-o',
    `Dir::Cache=${cache}`,
    '-o',
    `Dir::Cache::archives=${cache}/archives/`,
  ]
  const fetchedLists = [
    '-o',
    `Dir::State=${state}`,
    '-o',
    `Dir::State::lists=${state}/lists/`,
    '-o',
    'Dir::State::status=/var/lib/dpkg/status',
    '-o',
    'Acquire::Languages=none',
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
    await run('apt-get', [...get, ...common, ...packages], options)
  } catch (cause) {
    if (isMissing(cause)) throw cause
    await run('apt-get', ['update', '-o', 'APT::Update::Post-Invoke::=true', ...common, ...fetchedLists], options)
    await run('apt-get', [...get, ...common, ...fetchedLists, ...packages], options)
  }
  return (await readdir(archives)).filter((name) => name.endsWith('.deb')).map((name) => join(archives, name))
}

function libraryPath(): string {
  const folders = []
  for (const base of [join(unpackedRoot, 'usr/lib'), join(unpackedRoot, 'lib')]) {
    if (!existsSync(base)) continue
    folders.push(base)
    for (const entry of readdirSync(base)) if (entry.endsWith('-linux-gnu')) folders.push(join(base, entry))
  }
  return folders.join(':')
}

function isMissing(cause: unknown): boolean {
  return cause instanceof Error && 'code' in cause && cause.code === 'ENOENT'
}

function reasonOf(cause: unknown): string {
  if (isMissing(cause)) return 'apt-get is not installed'
  const text = cause instanceof Error && 'stderr' in cause ? String(cause.stderr) : String(cause)
  const lines = text.split('\n').filter((line) => /^(E|W|Err):?/.test(line))
  return (lines.at(-1) ?? text.trim().split('\n').at(-1) ?? 'unknown').replace(/^[EW]:\s*/, '').slice(0, 200)
}
