import type { IncomingMessage, ServerResponse } from 'node:http'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { hstsHeader } from '@storekeep/common/http'
import type { PagesContext } from '../context.ts'
import type { Reply } from './route.ts'

/** Sends a reply with the headers that every response has. A handler's headers override them. */
export async function send(ctx: PagesContext, req: IncomingMessage, res: ServerResponse, reply: Reply): Promise<void> {
  const { status, headers, body = '' } = reply
  const plain = Buffer.from(body)
  const isCompressed =
    plain.length > 1024 && headers?.['content-encoding'] === undefined && acceptsGzip(req) && isText(headers)
  const bytes = isCompressed ? await promisify(gzip)(plain) : plain
  if (res.destroyed) return
  res.statusCode = status
  const all = { ...commonHeaders, ...(isCompressed && { 'content-encoding': 'gzip' }), ...headers }
  for (const [name, value] of Object.entries(all)) res.setHeader(name, value)
  const hsts = hstsHeader(ctx.config.hstsMaxAgeSeconds)
  if (hsts !== undefined) res.setHeader('strict-transport-security', hsts)
  res.setHeader('content-length', bytes.length)
  // An unread body would be taken for the next request.
  if (ctx.lifecycle.draining || !req.complete) res.setHeader('connection', 'close')
  res.end(req.method === 'HEAD' ? undefined : bytes)
}

/** `no-store`: pages show an order and forms to its owner, and the back button must show the current state. */
const commonHeaders = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-robots-tag': 'noindex',
  vary: 'accept-encoding, accept-language',
}

function acceptsGzip({ headers }: IncomingMessage): boolean {
  return /\bgzip\b(?!\s*;\s*q=0(?:[.]0*)?(?:,|$))/i.test(headers['accept-encoding']?.toString() ?? '')
}

function isText(headers: Reply['headers']): boolean {
  return /^text\/|javascript/.test(headers?.['content-type'] ?? '')
}
