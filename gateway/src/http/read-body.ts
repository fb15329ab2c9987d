import { errors } from '@storekeep/common/errors'
import type { Request, Response } from 'express'
import { httpFaults } from '../errors/http-faults.ts'
import { parseJsonBody } from './json-body.ts'
import { checkMediaType } from './media-type.ts'

/**
 * Reads and parses the JSON body of a request; an absent body is `{}`.
 *
 * When the body is rejected before its end, the rest is read and discarded, up to a limit, so that the caller receives
 * the error response instead of a connection reset.
 */
export async function readBody(req: Request, res: Response, limitBytes: number): Promise<unknown> {
  const { 'content-type': type, 'content-encoding': encoding, 'content-length': announced } = req.headers
  const announcedBytes = announced === undefined ? undefined : Number(announced)
  if (announcedBytes === 0 || (announced === undefined && req.headers['transfer-encoding'] === undefined)) return {}
  try {
    if (announcedBytes !== undefined) {
      checkMediaType(type, encoding)
      if (announcedBytes > limitBytes) throw httpFaults.payloadTooLarge(limitBytes)
    }
    if (expectsContinue(req)) res.writeContinue()
    const bytes = await readBytes(req, limitBytes)
    if (bytes.length === 0) return {}
    checkMediaType(type, encoding)
    return parseJsonBody(bytes)
  } catch (error) {
    discardRest(req)
    throw error
  }
}

/** The caller sent `Expect: 100-continue` and holds the body back until then. */
function expectsContinue(req: Request): boolean {
  return req.headers.expect?.toLowerCase() === '100-continue'
}

function readBytes(req: Request, limitBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let length = 0
    req.on('data', read).on('end', end).on('error', fail).on('close', fail)

    function read(chunk: Buffer): void {
      length += chunk.length
      chunks.push(chunk)
      if (length > limitBytes) settle(() => reject(httpFaults.payloadTooLarge(limitBytes)))
    }
    function end(): void {
      settle(() => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks, length)))
    }
    function fail(): void {
      settle(() => reject(errors.badRequest('The connection closed before the body was complete.')))
    }
    function settle(how: () => void): void {
      req.off('data', read).off('end', end).off('error', fail).off('close', fail)
      how()
    }
  })
}

/** The connection is closed when more than this remains. */
const maxDiscardedBytes = 8 * 1024 * 1024

function discardRest(req: Request): void {
  const wasNeverRequested = expectsContinue(req) && req.readableFlowing === null
  if (req.complete || req.destroyed || wasNeverRequested) return
  let discarded = 0
  req.on('error', () => {})
  req.on('data', (chunk: Buffer) => {
    discarded += chunk.length
    if (discarded > maxDiscardedBytes) req.socket.destroy()
  })
  req.resume()
}
