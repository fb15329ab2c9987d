import type { EnvReader } from './env.ts'

/** Reads the certificate files of a process. Undefined if none of the settings is given; otherwise all are required. */
export function readTlsConfig(env: EnvReader): TlsConfig | undefined {
  return isGiven(env, Object.values(settings)) ? readFiles(env) : undefined
}

/** Like `readTlsConfig`, for a process that accepts calls: also requires the list of its callers. */
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
  /** The certificate of the process, followed by intermediate certificates. */
  certFile: string
  keyFile: string
  /** The trusted CAs; two while one replaces the other. */
  caFile: string
}

export interface ServerTlsConfig extends TlsConfig {
  /** DNS names of the permitted callers. A caller's certificate must contain one of them. */
  callers: readonly string[]
}
