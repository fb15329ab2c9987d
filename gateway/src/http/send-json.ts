import type { Request, Response } from 'express'
import { exchangeOf } from './exchange.ts'

/** Writes the whole answer; `body` undefined: none at all. */
export function sendJson(res: Response, status: number, body?: unknown): void {
  res.statusCode = status
  if (exchangeOf(res).lifecycle.draining || isStillWaiting(res.req)) res.setHeader('connection', 'close')
  if (body === undefined) {
    res.end()
    return
  }
  const bytes = Buffer.from(JSON.stringify(body))
  res.setHeader('content-type', 'application/json')
  res.setHeader('content-length', bytes.length)
  res.end(bytes)
}

/** A caller that asked whether to send its body, and was not told to: what it sends next would be ambiguous. */
function isStillWaiting(req: Request): boolean {
  return req.headers.expect !== undefined && req.readableFlowing === null
}
