import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TlsConfig } from '../src/config/index.ts'
import type { Certificate } from './authority.ts'

/**
 * Writes a certificate into a folder the way Kubernetes mounts a Secret: the files are links into `..data`, which links to
 * the folder of the current version and is replaced atomically.
 */
export function mountCertificate(folder: string, first: Certificate): MountedCertificate {
  let version = 0
  function swap(certificate: Partial<Certificate>): void {
    const old = join(folder, `..${version}`)
    version += 1
    const next = join(folder, `..${version}`)
    mkdirSync(next, { recursive: true })
    for (const [part, file] of parts) {
      const text = certificate[part]
      if (text !== undefined) writeFileSync(join(next, file), text)
    }
    symlinkSync(`..${version}`, join(folder, '..next'))
    renameSync(join(folder, '..next'), join(folder, '..data'))
    rmSync(old, { recursive: true, force: true })
  }
  swap(first)
  for (const [, file] of parts) symlinkSync(join('..data', file), join(folder, file))
  return {
    swap,
    config: { certFile: join(folder, 'tls.crt'), keyFile: join(folder, 'tls.key'), caFile: join(folder, 'ca.crt') },
  }
}

const parts = [
  ['cert', 'tls.crt'],
  ['key', 'tls.key'],
  ['ca', 'ca.crt'],
] as const

export interface MountedCertificate {
  /** Replaces the version. Omitted parts are missing from the new one. */
  swap(certificate: Partial<Certificate>): void
  config: TlsConfig
}
