import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { SetupError } from '../../bootstrap/setup-error.mjs'
import { paths } from '../paths.ts'
import { downloadDebianProgram } from './debian.ts'
import { findOnPath } from './programs.ts'

/**
 * The path of promtool, which tests alert rules: on the PATH, else from Debian's package prometheus (48 MB; only promtool
 * is kept).
 * @throws SetupError if there is none
 */
export async function findPromtool(): Promise<string> {
  const command = join(paths.infra, 'promtool')
  const found = findOnPath('promtool')?.command ?? (existsSync(command) ? command : undefined)
  if (found !== undefined) return found
  const problem = await downloadDebianProgram('prometheus', 'usr/bin/promtool', command)
  if (problem === undefined) return command
  throw new SetupError(
    `promtool is neither on the PATH nor available from Debian (${problem}). Install Prometheus, for example with "brew install prometheus".`,
  )
}
