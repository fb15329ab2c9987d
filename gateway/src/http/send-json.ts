import type { Response } from 'express'
import { exchangeOf } from './exchange.ts'

/** Writes the whole answer; `body` undefined: none at all. While draining it also ends the connection. */
export function sendJson(res: Response, status: number, body?: unknown): void {
  res.statusCode = status
  if (exchangeOf(res).lifecycle.draining) res.setHeader('connection', 'close')
  if (body === undefined) {
    res.end()
    return
  }
  const bytes = Buffer.from(JSON.stringify(body))
  res.setHeader('content-type', 'application/json')
  res.setHeader('content-length', bytes.length)
  res.end(bytes)
}
