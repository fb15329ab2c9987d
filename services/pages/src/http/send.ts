import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { acceptsEncoding, type RequestContext } from '@storekeep/common/http'
import type { Reply } from './route.ts'

/** Sends a reply. Its headers override the common ones. */
export async function send(request: RequestContext, { status, headers = {}, body = '' }: Reply): Promise<void> {
  const { req, res } = request
  const plain = Buffer.from(body)
  const isCompressed = plain.length > 1024 && acceptsEncoding(req, 'gzip') && isText(headers)
  const bytes = isCompressed ? await promisify(gzip)(plain) : plain
  if (res.destroyed) return
  for (const [name, value] of Object.entries(headers)) res.setHeader(name, value)
  if (isCompressed) res.setHeader('content-encoding', 'gzip')
  // Otherwise the unread body would be parsed as the next request.
  if (!req.complete) res.setHeader('connection', 'close')
  request.send(status, status === 204 ? undefined : bytes)
}

function isText(headers: NonNullable<Reply['headers']>): boolean {
  return /^text\/|javascript/.test(String(headers['content-type'] ?? ''))
}
