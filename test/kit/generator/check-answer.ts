import { expect } from 'vitest'
import type { Answer } from '../http-client.ts'

/** What must hold for every answer, whatever was sent: no fault of ours, a request id, and nothing of our insides. */
export function checkAnswer(answer: Answer): void {
  const what = `${answer.method} ${answer.path.slice(0, 300)} answered ${answer.status} ${answer.text.slice(0, 600)}`
  expect(answer.status, what).toBeLessThan(500)
  expect(answer.headers['x-request-id'], what).toMatch(/^\S+$/)
  // A success shows what callers have stored, which may be any text.
  if (answer.status >= 400) expect(answer.text, what).not.toMatch(insides)
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
