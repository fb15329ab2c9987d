import { type CallKeys, parseCallKeys } from '../identity/call-keys.ts'
import type { EnvReader } from './env.ts'
import { readServerTlsConfig, readTlsConfig, type ServerTlsConfig, type TlsConfig } from './tls-config.ts'

/**
 * Reads how a process proves its name to others: certificate files, or CALL_KEYS without them.
 */
export function readIdentityConfig(env: EnvReader): IdentityConfig {
  const tls = readTlsConfig(env)
  return { tls, keys: tls ? undefined : readKeys(env) }
}

/** Like `readIdentityConfig`, for a process that accepts calls. CALL_RIGHTS=report makes CALL_KEYS optional. */
export function readServerIdentityConfig(env: EnvReader): ServerIdentityConfig {
  const tls = readServerTlsConfig(env)
  const rights = env.oneOf('CALL_RIGHTS', ['enforce', 'report'], 'enforce')
  const isOptional = rights === 'report' && env.optional('CALL_KEYS') === undefined
  return { tls, keys: tls || isOptional ? undefined : readKeys(env), rights }
}

function readKeys(env: EnvReader): CallKeys {
  return env.custom('CALL_KEYS', parseCallKeys)
}

export interface IdentityConfig {
  /** Enables mutual TLS between processes; undefined: plaintext. */
  tls: TlsConfig | undefined
  /** Prove the process's name without TLS. */
  keys: CallKeys | undefined
}

export interface ServerIdentityConfig extends IdentityConfig {
  tls: ServerTlsConfig | undefined
  /** `report` handles calls without a right too, and only logs and counts them. */
  rights: 'enforce' | 'report'
}
