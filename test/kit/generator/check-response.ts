import { expect } from 'vitest'
import type { HttpResponse } from '../http-client.ts'

/** Asserts what holds for every response to any request: no server error, a request id, and no internal details. */
export function checkResponse(response: HttpResponse): void {
  const what = `${response.method} ${response.path.slice(0, 300)} returned ${response.status} ${response.text.slice(0, 600)}`
  expect(response.status, what).toBeLessThan(500)
  expect(response.headers['x-request-id'], what).toMatch(/^\S+$/)
  // Successful responses contain text that callers have stored.
  if (response.status >= 400) expect(response.text, what).not.toMatch(internals)
}

/** Stack traces, names of source files and packages, and typical error messages of databases and runtimes. */
const internals = new RegExp(
  [
    String.raw`\bat .+\.[cm]?[jt]s:\d`,
    ...['node_modules', String.raw`\bpg_`, String.raw`\bselect .+ from\b`, String.raw`\binsert into\b`],
    ...['syntax error', 'violates', 'relation "', 'column "', 'duplicate key', 'ECONN', 'UNAVAILABLE:', 'grpc'],
    ...['undefined is not', 'cannot read prop', 'is not a function', 'TypeError', 'zod'],
  ].join('|'),
  'i',
)
