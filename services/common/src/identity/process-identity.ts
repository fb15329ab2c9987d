import type { CallerName, ProcessName, ServerName } from '@storekeep/proto/conventions/call-rights'
import type { IdentityConfig } from '../config/index.ts'
import type { CallKeys } from '../crypto/index.ts'
import type { Logger } from '../log/index.ts'
import type { Metrics } from '../telemetry/index.ts'
import { createTlsIdentity, readTlsIdentity, type TlsIdentity, type WatchedTlsIdentity } from './tls-identity.ts'

/** Opens the identity of a process. Its certificate files are reloaded when they change. */
export function createIdentity<Name extends ProcessName>(
  name: Name,
  { config, log, metrics }: { config: IdentityConfig; log: Logger; metrics: Metrics },
): WatchedIdentity<Name> {
  const tls = config.tls && createTlsIdentity({ config: config.tls, log, metrics })
  return { name, tls, keys: config.keys, close: () => tls?.close() }
}

/** Reads the identity of a short-lived process, such as a command. */
export function readIdentity(name: CallerName, config: IdentityConfig): ProcessIdentity {
  return { name, tls: config.tls && readTlsIdentity(config.tls), keys: config.keys }
}

/** The name of a process, and its means to prove it: the certificate, or keys without TLS. */
export interface ProcessIdentity<Name extends ProcessName = ProcessName> {
  readonly name: Name
  readonly tls: TlsIdentity | undefined
  readonly keys: CallKeys | undefined
}

export interface WatchedIdentity<Name extends ProcessName = ProcessName> extends ProcessIdentity<Name> {
  readonly tls: WatchedTlsIdentity | undefined
  close(): void
}

/** The identity of a process that accepts calls. */
export interface ServerIdentity extends ProcessIdentity<ServerName> {
  /** The callers by the DNS name in their certificates; only with TLS. */
  readonly callers?: ReadonlyMap<string, CallerName> | undefined
}
