import { join } from 'node:path'
import { SetupError } from '../../bootstrap/setup-error.mjs'
import { findDebianProgram } from './debian.ts'
import { downloadPrograms, findOnPath } from './programs.ts'

/**
 * Finds openssl, which the documented commands need: on the PATH, else in Debian packages unpacked without root.
 * @throws SetupError if there is none
 */
export async function findOpenSsl(): Promise<OpenSsl> {
  const found = findOnPath('openssl') ?? findUnpacked()
  if (found) return found
  const problem = await downloadPrograms()
  const downloaded = findUnpacked()
  if (downloaded) return downloaded
  throw new SetupError(
    `openssl is neither on the PATH nor available from Debian (${problem ?? 'not in the packages'}).`,
  )
}

function findUnpacked(): OpenSsl | undefined {
  const found = findDebianProgram('openssl')
  // Without this variable, it looks for its configuration in /usr/lib/ssl.
  return found && { ...found, env: { ...found.env, OPENSSL_CONF: join(found.root, 'etc/ssl/openssl.cnf') } }
}

export interface OpenSsl {
  command: string
  env: Readonly<Record<string, string>>
}
