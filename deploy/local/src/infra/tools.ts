import { join } from 'node:path'
import { SetupError } from '../../bootstrap/setup-error.mjs'
import { findDebianProgram } from './debian.ts'
import { downloadPrograms, findOnPath } from './programs.ts'

/**
 * Finds a program that the documented commands need: on the PATH, else in Debian packages unpacked without root.
 * @throws SetupError if there is none
 */
export async function findTool(name: 'curl' | 'openssl'): Promise<Tool> {
  const found = findOnPath(name) ?? findUnpacked(name)
  if (found) return found
  const problem = await downloadPrograms()
  const downloaded = findUnpacked(name)
  if (downloaded) return downloaded
  throw new SetupError(
    `${name} is neither on the PATH nor available from Debian (${problem ?? 'not in the packages'}). Install it, for example with your package manager.`,
  )
}

function findUnpacked(name: string): Tool | undefined {
  const found = findDebianProgram(name)
  // OpenSSL's default is a file in /usr/lib/ssl.
  return found && { ...found, env: { ...found.env, OPENSSL_CONF: join(found.root, 'etc/ssl/openssl.cnf') } }
}

export interface Tool {
  command: string
  env: Readonly<Record<string, string>>
}
