import type { IncomingMessage } from 'node:http'
import { errors } from '../errors/index.ts'

/**
 * Rejects requests without a Host header, to which Node would send no body, and requests that repeat a single-value header. Node
 * silently uses the first value, but a proxy may use the last, so the two could disagree about who the client is.
 */
export function checkHeaders({ headers, httpVersion, rawHeaders }: IncomingMessage): void {
  if (headers.host === undefined && httpVersion === '1.1') throw errors.badRequest('The Host header is missing.')
  const repeated = repeatedHeader(rawHeaders)
  if (repeated !== undefined) throw errors.badRequest(`The ${repeated} header is repeated. Send it once.`)
}

function repeatedHeader(rawHeaders: readonly string[]): string | undefined {
  const seen = new Set<string>()
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = singleHeaders.get(rawHeaders[index]?.toLowerCase() ?? '')
    if (name === undefined) continue
    if (seen.has(name)) return name
    seen.add(name)
  }
  return undefined
}

/** The headers whose value matters, and of which Node drops all values but the first. */
const singleHeaders: ReadonlyMap<string, string> = new Map(
  ['Authorization', 'Content-Type', 'Host'].map((name) => [name.toLowerCase(), name]),
)
