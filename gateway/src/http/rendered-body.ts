import type { RequestContext } from '@storekeep/common/http'
import { etagOf, isCurrent } from './etag.ts'

/** The body of a response that several requests share. */
export interface RenderedBody {
  bytes: Buffer
  etag: string
}

export function renderBody(body: unknown): RenderedBody {
  const bytes = Buffer.from(JSON.stringify(body))
  return { bytes, etag: etagOf(bytes) }
}

/** Sends the body with its entity tag, or 304 if the client has it. */
export function sendRendered(request: RequestContext, status: number, { bytes, etag }: RenderedBody): void {
  const { req, res } = request
  res.setHeader('etag', etag)
  if (isCurrent(req.headers['if-none-match'], etag)) {
    request.send(304)
    return
  }
  res.setHeader('content-type', 'application/json')
  request.send(status, bytes)
}
