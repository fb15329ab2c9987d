import type { Request, Response } from 'express'
import { requestContextOf } from './request-context.ts'

/** Sends the response; without a body when `body` is undefined. */
export function sendJson(res: Response, status: number, body?: unknown): void {
  res.statusCode = status
  const { lifecycle } = requestContextOf(res)
  if (lifecycle.draining || stillExpectsContinue(res.req) || res.req.isPaused()) res.setHeader('connection', 'close')
  if (body === undefined) {
    res.end()
    return
  }
  const text = JSON.stringify(body)
  // Node writes a short text together with the headers; a long one is cheaper to convert once.
  const content = text.length <= shortLength ? text : Buffer.from(text)
  res.setHeader('content-type', 'application/json')
  res.setHeader('content-length', Buffer.byteLength(content))
  res.end(content)
}

const shortLength = 4096

/** The caller holds its body back and never got a 100: whether it still sends it would be ambiguous. */
function stillExpectsContinue(req: Request): boolean {
  return req.headers.expect !== undefined && req.readableFlowing === null
}
