import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import {
  type CallerName,
  callersOf,
  type ProcessName,
  type ServerName,
  serverNames,
  serversOf,
} from '@storekeep/proto/conventions/call-rights'

/**
 * The keys with which a process proves its name to the servers it calls, and recognizes its own callers. Each caller and
 * server share a separate key, so a process can pose only as itself, or as its own callers towards itself.
 */
export interface CallKeys {
  /** Proves `caller` to `server`. Undefined without a key for the two. */
  prove(caller: ProcessName, server: ServerName, nonce: Uint8Array): Buffer | undefined
  /** Whether `caller` created the proof for this nonce, with any of the keys that the two share. */
  verify(caller: string, server: ServerName, nonce: Uint8Array, proof: Uint8Array): boolean
}

/**
 * Reads CALL_KEYS: comma-separated `<caller>:<server>=<key>`, where several keys are joined by `+`. The first key proves,
 * all are accepted.
 *
 * @throws Error if the text is malformed; the message does not quote it, as `env.custom` requires
 */
export function parseCallKeys(text: string): CallKeys {
  const keys = new Map<string, readonly string[]>()
  for (const entry of text.split(',').map((one) => one.trim())) {
    const [, pair, list] = /^([a-z-]+:[a-z-]+)=([\w+-]+)$/.exec(entry) ?? []
    const known = list?.split('+') ?? []
    if (pair === undefined || known.some((key) => key.length < minKeyLength)) {
      throw new Error(
        'must be a list such as gateway:stores=<key>,checkout:stores=<key>, with keys of 32 or more characters',
      )
    }
    keys.set(pair, known)
  }
  return {
    prove(caller, server, nonce) {
      const [key] = keys.get(`${caller}:${server}`) ?? []
      return key === undefined ? undefined : macOf(key, caller, server, nonce)
    },
    verify(caller, server, nonce, proof) {
      const known = keys.get(`${caller}:${server}`) ?? []
      return proof.length === macBytes && known.some((key) => timingSafeEqual(macOf(key, caller, server, nonce), proof))
    },
  }
}

/**
 * Derives the CALL_KEYS of a process from the secret of an installation. A process gets only the keys for its own calls
 * and callers, never the secret.
 *
 * @param secret comma-separated secrets; two while one replaces the other, the first of which proves
 * @throws Error if one of them is too short, such as the empty one after a trailing comma, whose keys anyone could derive
 */
export function deriveCallKeys(secret: string, name: ProcessName): string {
  const secrets = secret.split(',').map((one) => one.trim())
  if (secrets.some((one) => one.length < minKeyLength)) {
    throw new Error(
      `CALL_SECRET must be one or two secrets of ${minKeyLength} or more characters, separated by a comma`,
    )
  }
  const called = serversOf(name as CallerName).map((server) => [name, server] as const)
  const isServer = serverNames.some((server) => server === name)
  const callers = isServer ? callersOf(name as ServerName).map((caller) => [caller, name] as const) : []
  return [...called, ...callers]
    .map(([caller, server]) => `${caller}:${server}=${secrets.map((one) => deriveKey(one, caller, server)).join('+')}`)
    .join(',')
}

/** Two nested hashes, as in HMAC, because Helm, which derives the same keys, has no HMAC. */
function deriveKey(secret: string, caller: string, server: string): string {
  return sha256(`${secret} ${sha256(`${secret} ${caller}:${server}`)}`)
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

function macOf(key: string, caller: string, server: string, nonce: Uint8Array): Buffer {
  return createHmac('sha256', key).update(`${caller}:${server}:`).update(nonce).digest()
}

const minKeyLength = 32
const macBytes = 32
