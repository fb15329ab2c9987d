import { expect } from 'vitest'
import type { ServiceErrorBody } from './bodies.ts'
import type { HttpResponse } from './http-client.ts'

/**
 * Expects a response to be a ServiceError with this code.
 * @param items for `validation-failed` and `conflict`: the `errors`, each as "path validation" or, if the
 * validation does not matter, as "path"; in any order
 */
export function expectFault(response: HttpResponse, code: FaultCode, items?: readonly string[]): ServiceErrorBody {
  const body = response.body as ServiceErrorBody
  expect(
    { status: response.status, code: body?.code },
    `${response.method} ${response.path} returned ${response.status} ${response.text.slice(0, 400)}`,
  ).toEqual({ status: statusOf[code], code })
  expect(body.status).toBe(response.status)
  expect(body.message).not.toBe('')
  expect(body.trace_id).toMatch(/^[0-9a-f]{32}$/)
  if (items) {
    const actual = (body.errors ?? []).map(({ path, validation }) => {
      const whole = `${path} ${validation}`
      return items.includes(whole) || !items.includes(path) ? whole : path
    })
    expect(actual.toSorted(), response.text).toEqual([...items].sort())
  }
  return body
}

const statusOf = {
  'bad-request': 400,
  'validation-failed': 400,
  unauthorized: 401,
  forbidden: 403,
  'customer-banned': 403,
  'platform-not-allowed': 403,
  'not-found': 404,
  'method-not-allowed': 405,
  conflict: 409,
  'payload-too-large': 413,
  'unsupported-media-type': 415,
  'idempotency-mismatch': 422,
  'too-many-requests': 429,
  'internal-error': 500,
  'service-unavailable': 503,
} as const

export type FaultCode = keyof typeof statusOf
