import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TlsConfig } from '@storekeep/common/config'
import {
  type Authority,
  createAuthority,
  type MountedCertificate,
  mountCertificate,
} from '@storekeep/common/testing/certificates'
import { type ServiceName, services } from '@storekeep/local/services'
import { callersOf } from '@storekeep/proto/conventions/call-rights'
import type { Settings } from './service-process.ts'

/** A certificate for every process of a system and for a `stranger`, which is authorized nowhere. */
export async function createSystemTls(): Promise<SystemTls> {
  const folder = mkdtempSync(join(tmpdir(), 'storekeep-tls-'))
  const names = [...services.map(({ name }) => name), 'gateway', 'admin-tools', 'stranger']
  const first = await createAuthority()
  const mounted = new Map<string, MountedCertificate>()
  for (const name of names) {
    const own = join(folder, name)
    mkdirSync(own)
    mounted.set(name, mountCertificate(own, await issue(first, name)))
  }

  function mountOf(name: string): MountedCertificate {
    const found = mounted.get(name)
    if (!found) throw new Error(`${name} has no certificate.`)
    return found
  }

  return {
    filesOf: (name) => mountOf(name).config,
    settingsOf(name) {
      const { certFile, keyFile, caFile } = mountOf(name).config
      return { GRPC_TLS_CERT_FILE: certFile, GRPC_TLS_KEY_FILE: keyFile, GRPC_TLS_CA_FILE: caFile }
    },
    callersOf(name) {
      return callersOf(name)
        .map((caller) => `${caller}=${caller}`)
        .join()
    },
    async prepareRotation() {
      const next = await createAuthority('next')
      const ca = first.ca + next.ca
      const all = await Promise.all(
        names.map(async (name) => ({ name, old: await issue(first, name), new: await issue(next, name) })),
      )
      return [
        () => {
          for (const one of all) mountOf(one.name).swap({ ...one.old, ca })
        },
        () => {
          for (const one of all) mountOf(one.name).swap({ ...one.new, ca })
        },
        () => {
          for (const one of all) mountOf(one.name).swap(one.new)
        },
      ]
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

/** All processes listen on this machine and are identified by name. */
function issue(authority: Authority, name: string) {
  return authority.issue(['localhost', name])
}

export interface SystemTls {
  filesOf(name: string): TlsConfig
  settingsOf(name: string): Settings
  /** GRPC_TLS_CALLERS of a service. */
  callersOf(name: ServiceName): string
  /** The steps to certificates of a new CA. Run each one after every process has loaded the previous one. */
  prepareRotation(): Promise<(() => void)[]>
  remove(): void
}
