import { existsSync, readdirSync } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { unpackDebianPackages } from '../../bootstrap/debian.mjs'
import { paths } from '../paths.ts'

const unpackedRoot = join(paths.infra, 'debian')

/** Finds a program in the unpacked packages; `env` lets it find its libraries. */
export function findDebianProgram(
  name: string,
): { kind: 'program'; command: string; env: Record<string, string>; root: string } | undefined {
  for (const folder of ['usr/sbin', 'usr/bin', 'usr/local/bin']) {
    const command = join(unpackedRoot, folder, name)
    if (existsSync(command))
      return { kind: 'program', command, env: { LD_LIBRARY_PATH: libraryPath(unpackedRoot) }, root: unpackedRoot }
  }
  return undefined
}

/**
 * Downloads packages with their missing dependencies and unpacks them into .infra/debian.
 * @returns the reason for a failure
 */
export function downloadDebianPrograms(packages: readonly string[]): Promise<string | undefined> {
  return unpackDebianPackages(packages, {
    extent: 'with dependencies',
    target: unpackedRoot,
    keep: async (root) => {
      if (existsSync(unpackedRoot)) await rm(unpackedRoot, { recursive: true, force: true })
      await rename(root, unpackedRoot)
    },
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
  return unpackDebianPackages([packageName], {
    extent: 'alone',
    target,
    keep: (root) => rename(join(root, program), target),
  })
}

/**
 * Downloads the packages, with their dependencies, that the system lacks, into .infra/. On a system without Debian packages, the
 * libraries must be installed.
 * @returns LD_LIBRARY_PATH for a program that needs them
 */
export async function findDebianLibraries(name: string, packages: readonly string[]): Promise<string> {
  const target = join(paths.infra, name)
  if (!existsSync(target)) {
    await unpackDebianPackages(packages, {
      extent: 'with dependencies',
      target,
      // Nothing is unpacked if nothing is missing.
      keep: async (root) => {
        if (existsSync(root)) await rename(root, target)
        else await mkdir(target)
      },
    })
  }
  return libraryPath(target)
}

function libraryPath(unpackedRoot: string): string {
  const folders: string[] = []
  for (const base of [join(unpackedRoot, 'usr/lib'), join(unpackedRoot, 'lib')]) {
    if (!existsSync(base)) continue
    folders.push(base)
    for (const entry of readdirSync(base)) if (entry.endsWith('-linux-gnu')) folders.push(join(base, entry))
  }
  return [...folders, process.env.LD_LIBRARY_PATH].filter(Boolean).join(':')
}
