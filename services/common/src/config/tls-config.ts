import { type CallerName, callerNames } from '@storekeep/proto/conventions/call-rights'
import type { EnvReader } from './env.ts'

/** Reads the certificate files of a process. Undefined if none of the settings is given; otherwise all are required. */
export function readTlsConfig(env: EnvReader): TlsConfig | undefined {
  return isGiven(env, Object.values(settings)) ? readFiles(env) : undefined
}

/** Like `readTlsConfig`, for a process that accepts calls: also requires the list of its callers. */
export function readServerTlsConfig(env: EnvReader): ServerTlsConfig | undefined {
  if (!isGiven(env, [...Object.values(settings), callersSetting])) return undefined
  return { ...readFiles(env), callers: env.custom(callersSetting, parseCallers) }
}

/** Parses `gateway=shop-gateway.default.svc,checkout=shop-checkout.default.svc`. */
function parseCallers(text: string): ReadonlyMap<string, CallerName> {
  const callers = new Map<string, CallerName>()
  for (const entry of text.split(',').filter((one) => one.trim() !== '')) {
    const [name, dnsName] = entry.split('=').map((part) => part.trim())
    const caller = callerNames.find((one) => one === name)
    if (!caller || !dnsName) throw new Error('must be a list such as gateway=<DNS name>,checkout=<DNS name>')
    callers.set(dnsName, caller)
  }
  return callers
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
  /** The callers by the DNS name that identifies each in its certificate. */
  callers: ReadonlyMap<string, CallerName>
}
