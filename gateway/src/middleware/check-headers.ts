import { errors } from '@storekeep/common/errors'
import type { RequestHandler } from 'express'

/**
 * Rejects requests without a Host header with a ServiceError, which Node would not send, and requests that repeat a
 * single-value header. Node silently uses the first value, but a proxy may use the last, so the two could disagree about
 * who the caller is.
 */
export const checkHeaders: RequestHandler = (req, _res, next) => {
  if (req.headers.host === undefined && req.httpVersion === '1.1') {
    throw errors.badRequest('The Host header is missing.')
  }
  const repeated = repeatedHeader(req.rawHeaders)
  if (repeated !== undefined) throw errors.badRequest(`The ${repeated} header is repeated. Send it once.`)
  next()
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

/** The headers of which Node drops all values but the first, and of which the gateway reads the value. */
const singleHeaders: ReadonlyMap<string, string> = new Map(
  ['Authorization', 'Content-Type', 'Host'].map((name) => [name.toLowerCase(), name]),
)
