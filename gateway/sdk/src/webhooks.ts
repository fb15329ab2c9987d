import { now } from './clock.ts'
import { WebhookVerificationError } from './errors.ts'
import type { WebhookEvent } from './generated/types.ts'

/**
 * Verifies a webhook according to [Standard Webhooks](https://www.standardwebhooks.com) and returns its event.
 *
 * @param body the body as received, before any JSON parser
 * @param headers the headers of the request: `Headers`, or the object of Node
 * @param secrets the secret of the endpoint; several while one replaces another
 * @throws WebhookVerificationError unless one of the secrets signed this body within the tolerance
 */
async function verify(
  body: string | Uint8Array | ArrayBuffer,
  headers: WebhookHeaders,
  secrets: string | readonly string[],
  { toleranceSeconds = 300 }: VerifyOptions = {},
): Promise<WebhookEvent> {
  const keys = (typeof secrets === 'string' ? [secrets] : secrets).map(decodeSecret)
  if (keys.length === 0) throw new TypeError('There is no secret')
  const text = textOf(body)
  const id = readHeader(headers, 'webhook-id')
  const timestamp = readHeader(headers, 'webhook-timestamp')
  const signatures = readHeader(headers, 'webhook-signature')
  const age = /^\d{1,12}$/.test(timestamp) ? now() / 1000 - Number(timestamp) : Number.NaN
  if (!(Math.abs(age) <= toleranceSeconds)) throw new WebhookVerificationError('The timestamp is too far from now')
  if (!(await isSigned(encoder.encode(`${id}.${timestamp}.${text}`), signatures, keys))) {
    throw new WebhookVerificationError('No signature matches')
  }
  try {
    return JSON.parse(text)
  } catch {
    throw new WebhookVerificationError('The body is not JSON')
  }
}

/**
 * Signs a webhook as Storekeep does, for tests of your own endpoint.
 *
 * @param body the JSON text of an event
 * @param secret the secret of the endpoint
 * @returns the headers of the request, which `verify` accepts
 * @throws TypeError if the secret or the time is malformed; the error does not contain the secret
 */
async function sign(body: string, secret: string, { id, sentAt }: SignOptions = {}): Promise<SignedHeaders> {
  const webhookId = id ?? `msg_${crypto.randomUUID()}`
  const timestamp = String(Math.floor((sentAt?.getTime() ?? now()) / 1000))
  if (timestamp === 'NaN') throw new TypeError('sentAt must be a valid date')
  const key = await crypto.subtle.importKey('raw', decodeSecret(secret), algorithm, false, ['sign'])
  const mac = await crypto.subtle.sign('HMAC', key, encoder.encode(`${webhookId}.${timestamp}.${body}`))
  const signature = btoa(String.fromCharCode(...new Uint8Array(mac)))
  return {
    'content-type': 'application/json',
    'webhook-id': webhookId,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${signature}`,
  }
}

/** Verifies the webhooks that Storekeep sends to your server, and signs webhooks for your tests. */
export const webhooks = { verify, sign }

export interface SignOptions {
  /** Id of the message. Default: a new one. */
  id?: string | undefined
  /** Default: now. */
  sentAt?: Date | undefined
}

export interface SignedHeaders extends Record<string, string> {
  'content-type': string
  'webhook-id': string
  'webhook-timestamp': string
  'webhook-signature': string
}

export interface VerifyOptions {
  /** Maximum age or clock difference in seconds. Default: 300. */
  toleranceSeconds?: number | undefined
}

export type WebhookHeaders =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>

const encoder = new TextEncoder()

/** Compares in constant time, which WebCrypto does. */
async function isSigned(content: Uint8Array<ArrayBuffer>, header: string, keys: readonly Bytes[]): Promise<boolean> {
  const signatures = header
    .split(' ')
    .flatMap((one) => (one.startsWith('v1,') ? (decodeBase64(one.slice(3)) ?? []) : []))
  for (const bytes of keys) {
    const key = await crypto.subtle.importKey('raw', bytes, algorithm, false, ['verify'])
    for (const signature of signatures) {
      if (await crypto.subtle.verify('HMAC', key, signature, content)) return true
    }
  }
  return false
}

const algorithm = { name: 'HMAC', hash: 'SHA-256' }
type Bytes = Uint8Array<ArrayBuffer>

/** @throws TypeError which does not contain the secret */
function decodeSecret(secret: string): Bytes {
  const bytes = typeof secret === 'string' ? decodeBase64(secret.replace(/^whsec_/, '')) : undefined
  if (!bytes?.length) throw new TypeError('A webhook secret is whsec_ followed by base64')
  return bytes
}

function decodeBase64(text: string): Bytes | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
  } catch {
    return undefined
  }
}

function textOf(body: string | Uint8Array | ArrayBuffer): string {
  if (typeof body === 'string') return body
  // Not instanceof, which fails for a buffer from another realm, such as a test runner's.
  if (!ArrayBuffer.isView(body) && Object.prototype.toString.call(body) !== '[object ArrayBuffer]') {
    throw new TypeError('The body must be the text or bytes as received, not parsed JSON')
  }
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body)
  } catch {
    throw new WebhookVerificationError('The body is not UTF-8')
  }
}

function readHeader(headers: WebhookHeaders, name: string): string {
  const value = isGetter(headers) ? headers.get(name) : fromObject(headers, name)
  if (typeof value !== 'string' || value === '') throw new WebhookVerificationError(`The header ${name} is missing`)
  return value
}

function isGetter(headers: WebhookHeaders): headers is { get(name: string): string | null } {
  return typeof headers.get === 'function'
}

function fromObject(headers: Readonly<Record<string, unknown>>, name: string): unknown {
  const [, value] = Object.entries(headers).find(([key]) => key.toLowerCase() === name) ?? []
  return Array.isArray(value) ? value[0] : value
}
