import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { paths } from '../paths.ts'
import { downloadDebianProgram } from './debian.ts'
import { findOnPath } from './programs.ts'

/**
 * promtool, which says when alerts fire: from the PATH, else out of Debian's package prometheus, of which it is all
 * that is kept (48 MB). Only the test that wants it downloads it.
 */
export async function findPromtool(): Promise<Promtool> {
  const command = join(paths.infra, 'promtool')
  const found = findOnPath('promtool')?.command ?? (existsSync(command) ? command : undefined)
  if (found !== undefined) return { command: found }
  const trouble = await downloadDebianProgram('prometheus', 'usr/bin/promtool', command)
  return trouble === undefined ? { command } : { missing: `not on the PATH, not by apt (${trouble})` }
}

/** Where it is, or why it is nowhere. */
export type Promtool = { command: string } | { missing: string }
