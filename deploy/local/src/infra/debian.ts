import { existsSync, readdirSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
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
      return { kind: 'program', command, env: { LD_LIBRARY_PATH: libraryPath() }, root: unpackedRoot }
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

function libraryPath(): string {
  const folders: string[] = []
  for (const base of [join(unpackedRoot, 'usr/lib'), join(unpackedRoot, 'lib')]) {
    if (!existsSync(base)) continue
    folders.push(base)
    for (const entry of readdirSync(base)) if (entry.endsWith('-linux-gnu')) folders.push(join(base, entry))
  }
  return [...folders, process.env.LD_LIBRARY_PATH].filter(Boolean).join(':')
}
