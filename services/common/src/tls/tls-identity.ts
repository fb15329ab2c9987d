import { ConfigError, type TlsConfig } from '../config/index.ts'
import type { Logger } from '../log/index.ts'
import type { Metrics } from '../telemetry/index.ts'
import { readTlsFiles, type TlsFiles } from './tls-files.ts'

/**
 * Who the process is to other processes, read from files that are looked at again every few seconds. Looking instead of
 * listening: what a cluster mounts is changed by swapping a link above the files, which file events miss on some of
 * the file systems there are. A set that does not fit together is logged once and changes nothing.
 *
 * @throws ConfigError when the files cannot be used at the start
 */
export function createTlsIdentity({ config, log, metrics, lookMs = 5000 }: TlsIdentityOptions): WatchedTlsIdentity {
  const listeners = new Set<(files: TlsFiles) => void>()
  let current = readFirst(config)
  let lastReason = ''

  function look(): void {
    const found = readNext()
    if (!found || isSame(found, current)) return
    current = found
    const { serialNumber: serial_number, notAfter: not_after } = found
    log.info({ serial_number, not_after }, 'certificate changed')
    for (const listener of listeners) tell(listener, found)
  }

  function readNext(): TlsFiles | undefined {
    try {
      const found = readTlsFiles(config)
      lastReason = ''
      return found
    } catch (error) {
      const reason = error instanceof Error ? error.message : 'unknown'
      if (reason !== lastReason) log.error({ reason }, 'new certificate refused, going on with the old one')
      lastReason = reason
      return undefined
    }
  }

  /** One that fails keeps the certificate from nobody else. */
  function tell(listener: (files: TlsFiles) => void, files: TlsFiles): void {
    try {
      listener(files)
    } catch (error) {
      log.error({ err: error }, 'new certificate not taken everywhere')
    }
  }

  metrics.gauge(
    'tls_certificate_start_timestamp_seconds',
    'Start of validity of the certificate for calls between processes, in seconds since 1970.',
    () => current.notBefore.getTime() / 1000,
  )
  metrics.gauge(
    'tls_certificate_expiry_timestamp_seconds',
    'End of validity of the certificate for calls between processes, in seconds since 1970.',
    () => current.notAfter.getTime() / 1000,
  )
  const timer = setInterval(look, lookMs).unref()
  return {
    get current() {
      return current
    },
    onChange(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    look,
    close: () => clearInterval(timer),
  }
}

/**
 * The same for a process that ends soon, as a command does: the files are read once and not looked at again.
 * @throws ConfigError when the files cannot be used
 */
export function readTlsIdentity(config: TlsConfig): TlsIdentity {
  return { current: readFirst(config), onChange: () => () => {} }
}

function readFirst(config: TlsConfig): TlsFiles {
  try {
    return readTlsFiles(config)
  } catch (error) {
    throw new ConfigError(`Invalid settings: ${error instanceof Error ? error.message : error}.`, { cause: error })
  }
}

function isSame(one: TlsFiles, other: TlsFiles): boolean {
  return one.cert.equals(other.cert) && one.key.equals(other.key) && one.ca.equals(other.ca)
}

export interface TlsIdentityOptions {
  config: TlsConfig
  log: Logger
  metrics: Metrics
  /** For tests. */
  lookMs?: number
}

export interface TlsIdentity {
  /** What holds for connections that begin now. */
  readonly current: TlsFiles
  /** Runs it with every new set of files, until the answer is called. */
  onChange(listener: (files: TlsFiles) => void): () => void
}

export interface WatchedTlsIdentity extends TlsIdentity {
  /** Looks at the files now. */
  look(): void
  close(): void
}
