import { ConfigError, type TlsConfig } from '../config/index.ts'
import type { Logger } from '../log/index.ts'
import type { Metrics } from '../telemetry/index.ts'
import { readTlsFiles, type TlsFiles } from './tls-files.ts'

/**
 * The TLS identity of a process, read from files and reloaded when they change. Polls instead of watching: Kubernetes
 * replaces mounted files by swapping a symlink above them, which file events miss on some file systems. Files that do not
 * belong together are logged once and ignored.
 *
 * @throws ConfigError if the files are invalid at the start
 */
export function createTlsIdentity({ config, log, metrics, pollMs = 5000 }: TlsIdentityOptions): WatchedTlsIdentity {
  const listeners = new Set<(files: TlsFiles) => void>()
  let current = readFirst(config)
  let lastReason = ''

  function reload(): void {
    const found = readNext()
    if (!found || isSame(found, current)) return
    current = found
    const { serialNumber: serial_number, notAfter: not_after } = found
    log.info({ serial_number, not_after }, 'tls certificate reloaded')
    for (const listener of listeners) notify(listener, found)
  }

  function readNext(): TlsFiles | undefined {
    try {
      const found = readTlsFiles(config)
      lastReason = ''
      return found
    } catch (error) {
      const reason = error instanceof Error ? error.message : 'unknown'
      if (reason !== lastReason) log.error({ reason }, 'tls certificate rejected: keeping the current one')
      lastReason = reason
      return undefined
    }
  }

  /** A listener that throws does not affect the others. */
  function notify(listener: (files: TlsFiles) => void, files: TlsFiles): void {
    try {
      listener(files)
    } catch (error) {
      log.error({ err: error }, 'tls certificate listener failed')
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
  const timer = setInterval(reload, pollMs).unref()
  return {
    get current() {
      return current
    },
    onChange(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    reload,
    close: () => clearInterval(timer),
  }
}

/**
 * Reads the TLS identity of a short-lived process, such as a command. Does not reload the files.
 * @throws ConfigError if the files are invalid
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
  pollMs?: number
}

export interface TlsIdentity {
  /** The files for new connections. */
  readonly current: TlsFiles
  /** Calls `listener` after every reload. @returns a function that removes the listener */
  onChange(listener: (files: TlsFiles) => void): () => void
}

export interface WatchedTlsIdentity extends TlsIdentity {
  /** Checks the files now. */
  reload(): void
  close(): void
}
