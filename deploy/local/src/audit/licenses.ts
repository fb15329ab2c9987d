import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { pnpm } from '../../bootstrap/packages.mjs'
import { SetupError } from '../../bootstrap/setup-error.mjs'
import { paths } from '../paths.ts'

/** Licenses that allow use and redistribution without obligations beyond a notice. */
const allowedLicenses = [
  '0BSD',
  'Apache-2.0',
  '(Apache-2.0 AND BSD-3-Clause)',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'ISC',
  'MIT',
  'MIT-0',
  'Unlicense',
]

/**
 * Libraries with a weak copyleft, which is met by shipping them unmodified, as separate files that can be replaced: libvips, which
 * `sharp` loads at run time.
 */
const replaceableLibraries: Readonly<Record<string, RegExp>> = {
  'LGPL-3.0-or-later': /^@img\/sharp-libvips-/,
}

/** @throws SetupError when a production dependency has no license or a disallowed one */
export async function checkLicenses(): Promise<undefined> {
  const list = ['--recursive', 'licenses', 'list', '--prod', '--json']
  const { stdout } = await promisify(execFile)(pnpm, list, { cwd: paths.root, maxBuffer: 16 * 1024 * 1024 })
  const problems = findLicenseProblems(JSON.parse(stdout))
  if (problems.length > 0) throw new SetupError('Licenses that deploy/local/src/audit does not allow:', problems)
}

/** @param packages what `pnpm licenses list --json` prints: the packages by license */
export function findLicenseProblems(packages: Readonly<Record<string, readonly { name: string }[]>>): string[] {
  if (Object.keys(packages).length === 0) throw new Error('pnpm lists no production dependencies.')
  return Object.entries(packages).flatMap(([license, found]) =>
    allowedLicenses.includes(license)
      ? []
      : found.flatMap(({ name }) => (replaceableLibraries[license]?.test(name) ? [] : [`${name}: ${license}`])),
  )
}
