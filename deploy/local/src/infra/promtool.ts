import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { paths } from '../paths.ts'
import { downloadDebianProgram } from './debian.ts'
import { findOnPath } from './programs.ts'

/**
 * Finds promtool, which tests alert rules: on the PATH, else in Debian's package prometheus (48 MB; only promtool is
 * kept).
 */
export async function findPromtool(): Promise<Promtool> {
  const command = join(paths.infra, 'promtool')
  const found = findOnPath('promtool')?.command ?? (existsSync(command) ? command : undefined)
  if (found !== undefined) return { command: found }
  const problem = await downloadDebianProgram('prometheus', 'usr/bin/promtool', command)
  return problem === undefined ? { command } : { missing: `not on the PATH, not available from Debian (${problem})` }
}

/** Its path, or the reason why it is missing. */
export type Promtool = { command: string } | { missing: string }
