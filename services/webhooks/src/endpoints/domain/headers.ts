import { type Violation, violation } from '@storekeep/common/errors'
import { webhookEndpointLimits } from '@storekeep/proto/conventions/limits'
import { maskedValue } from '@storekeep/proto/conventions/masked-value'
import type { Headers } from './endpoint.ts'

/**
 * Replaces masked values with the stored ones, ignoring the case of the names, so that an endpoint that was read can be written
 * back. A masked value without a stored one stays, and `headerViolations` rejects it.
 */
export function withStoredValues(headers: Headers, stored: Headers): Headers {
  const byName = new Map(Object.entries(stored).map(([name, value]) => [name.toLowerCase(), value]))
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      value === maskedValue ? (byName.get(name.toLowerCase()) ?? value) : value,
    ]),
  )
}

/** The headers as a response contains them. */
export function masked(headers: Headers): Headers {
  return Object.fromEntries(Object.keys(headers).map((name) => [name, maskedValue]))
}

/** Validates additional request headers (RFC 9110, section 5). */
export function headerViolations(headers: Headers): Violation[] {
  const names = Object.keys(headers)
  const { headers: max } = webhookEndpointLimits
  if (names.length > max) return [violation('headers', 'length', `must have at most ${max} headers`)]
  const seen = new Set<string>()
  return names.flatMap((name) => {
    const path = `headers.${name}`
    const lower = name.toLowerCase()
    const isRepeated = seen.has(lower)
    seen.add(lower)
    if (isRepeated) return [violation(path, 'unique', 'is a duplicate in another case')]
    return [...nameViolations(path, name), ...valueViolations(path, headers[name] ?? '')]
  })
}

function nameViolations(path: string, name: string): Violation[] {
  const { headerNameLength } = webhookEndpointLimits
  if (name.length > headerNameLength) {
    return [violation(path, 'length', `must have a name of at most ${headerNameLength} characters`)]
  }
  if (!token.test(name)) return [violation(path, 'pattern', 'must be a header name: letters, digits and - _ .')]
  return isReserved(name.toLowerCase()) ? [violation(path, 'enum', 'is set by Storekeep or by the connection')] : []
}

function valueViolations(path: string, value: string): Violation[] {
  const { headerValueLength } = webhookEndpointLimits
  if (value.length > headerValueLength) {
    return [violation(path, 'length', `must have at most ${headerValueLength} characters`)]
  }
  if (value === maskedValue)
    return [violation(path, 'reference', 'has no stored value for the origin of the URL: send its value')]
  const isValid = visible.test(value) && value.trim() === value
  return isValid ? [] : [violation(path, 'pattern', 'must be visible ASCII characters, with spaces only inside')]
}

const token = /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/
const visible = /^[\x20-\x7e]*$/

/** Headers of our requests, of the message framing, and of single connections. */
const reserved: ReadonlySet<string> = new Set([
  ...['accept', 'accept-encoding', 'content-type', 'user-agent', 'traceparent', 'tracestate'],
  ...['host', 'content-length', 'transfer-encoding', 'content-encoding', 'expect', 'trailer', 'te'],
  ...['connection', 'keep-alive', 'upgrade', 'http2-settings', 'forwarded', 'via'],
])

function isReserved(name: string): boolean {
  return reserved.has(name) || /^(webhook|proxy|x-forwarded|sec)-/.test(name)
}
