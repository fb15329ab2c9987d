import { type ErrorCode, httpStatuses } from '@storekeep/proto/conventions/error-codes'
import { expect } from 'vitest'
import type { ServiceErrorBody } from './bodies.ts'
import type { HttpResponse } from './http-client.ts'

/**
 * Expects a response to be a ServiceError with this code.
 * @param items for `validation-failed` and `conflict`: the `errors`, each as "path validation" or, if the
 * validation does not matter, as "path"; in any order
 */
export function expectFault(response: HttpResponse, code: ErrorCode, items?: readonly string[]): ServiceErrorBody {
  const body = response.body as ServiceErrorBody
  expect(
    { status: response.status, code: body?.code },
    `${response.method} ${response.path} returned ${response.status} ${response.text.slice(0, 400)}`,
  ).toEqual({ status: httpStatuses[code], code })
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
