import { expect } from 'vitest'
import type { HttpResponse } from '../http-client.ts'

/** What must hold for every response, whatever was sent: no fault of ours, a request id, and nothing of our insides. */
export function checkResponse(response: HttpResponse): void {
  const what = `${response.method} ${response.path.slice(0, 300)} answered ${response.status} ${response.text.slice(0, 600)}`
  expect(response.status, what).toBeLessThan(500)
  expect(response.headers['x-request-id'], what).toMatch(/^\S+$/)
  // A success shows what callers have stored, which may be any text.
  if (response.status >= 400) expect(response.text, what).not.toMatch(insides)
}

/** Stack traces, our files and packages, and how databases and runtimes talk of their errors. */
const insides = new RegExp(
  [
    String.raw`\bat .+\.[cm]?[jt]s:\d`,
    ...['node_modules', String.raw`\bpg_`, String.raw`\bselect .+ from\b`, String.raw`\binsert into\b`],
    ...['syntax error', 'violates', 'relation "', 'column "', 'duplicate key', 'ECONN', 'UNAVAILABLE:', 'grpc'],
    ...['undefined is not', 'cannot read prop', 'is not a function', 'TypeError', 'zod'],
  ].join('|'),
  'i',
)
