import type { EnvReader } from './env.ts'

/**
 * The files by which a process proves to other processes who it is; nothing unless one of the settings is given, then
 * all must be.
 */
export function readTlsConfig(env: EnvReader): TlsConfig | undefined {
  return isGiven(env, Object.values(settings)) ? readFiles(env) : undefined
}

/** The same for a process that is called, which also says by whom. */
export function readServerTlsConfig(env: EnvReader): ServerTlsConfig | undefined {
  if (!isGiven(env, [...Object.values(settings), callersSetting])) return undefined
  return { ...readFiles(env), callers: env.list(callersSetting) }
}

const settings = {
  certFile: 'GRPC_TLS_CERT_FILE',
  keyFile: 'GRPC_TLS_KEY_FILE',
  caFile: 'GRPC_TLS_CA_FILE',
} as const
const callersSetting = 'GRPC_TLS_CALLERS'

function isGiven(env: EnvReader, names: readonly string[]): boolean {
  return names.some((name) => env.optional(name) !== undefined)
}

function readFiles(env: EnvReader): TlsConfig {
  return {
    certFile: env.string(settings.certFile),
    keyFile: env.string(settings.keyFile),
    caFile: env.string(settings.caFile),
  }
}

/** Paths of PEM files. */
export interface TlsConfig {
  /** The process' own certificate, and those between it and the CA. */
  certFile: string
  keyFile: string
  /** The CAs of every certificate that is believed; two while one takes the place of the other. */
  caFile: string
}

export interface ServerTlsConfig extends TlsConfig {
  /** DNS names, one of which the certificate of a caller must have. */
  callers: readonly string[]
}
