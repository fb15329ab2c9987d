import { type CallKeys, parseCallKeys } from '../crypto/index.ts'
import type { EnvReader } from './env.ts'
import { readServerTlsConfig, readTlsConfig, type ServerTlsConfig, type TlsConfig } from './tls-config.ts'

/**
 * Reads how a process proves its name to others: certificate files, or CALL_KEYS without them.
 */
export function readIdentityConfig(env: EnvReader): IdentityConfig {
  const tls = readTlsConfig(env)
  return { tls, keys: tls ? undefined : readKeys(env) }
}

/** Like `readIdentityConfig`, for a process that accepts calls. */
export function readServerIdentityConfig(env: EnvReader): ServerIdentityConfig {
  const tls = readServerTlsConfig(env)
  return { tls, keys: tls ? undefined : readKeys(env) }
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
}
