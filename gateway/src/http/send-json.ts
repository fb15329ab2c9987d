import type { Request, Response } from 'express'
import { requestContextOf } from './request-context.ts'

/** Sends the response; without a body when `body` is undefined. */
export function sendJson(res: Response, status: number, body?: unknown): void {
  res.statusCode = status
  if (requestContextOf(res).lifecycle.draining || stillExpectsContinue(res.req)) res.setHeader('connection', 'close')
  if (body === undefined) {
    res.end()
    return
  }
  const bytes = Buffer.from(JSON.stringify(body))
  res.setHeader('content-type', 'application/json')
  res.setHeader('content-length', bytes.length)
  res.end(bytes)
}

/** The caller holds its body back and never got a 100: whether it still sends it would be ambiguous. */
function stillExpectsContinue(req: Request): boolean {
  return req.headers.expect !== undefined && req.readableFlowing === null
}
