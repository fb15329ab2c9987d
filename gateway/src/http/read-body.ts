import { errors } from '@storekeep/common/errors'
import type { Request, Response } from 'express'
import { httpFaults } from '../errors/http-faults.ts'
import { parseJsonBody } from './json-body.ts'
import { checkMediaType } from './media-type.ts'

/**
 * Reads and parses the JSON body of a request; an absent one is `{}`.
 *
 * What is refused before it was read to its end is taken off the wire and thrown away, within bounds, so that the
 * caller gets the answer and not a reset connection.
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
    if (isWaiting(req)) res.writeContinue()
    const bytes = await readBytes(req, limitBytes)
    if (bytes.length === 0) return {}
    checkMediaType(type, encoding)
    return parseJsonBody(bytes)
  } catch (error) {
    discardRest(req)
    throw error
  }
}

/** True for a caller that sends the body only once it is told to. */
function isWaiting(req: Request): boolean {
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
      settle(() => reject(errors.badRequest('The body ended before it was complete.')))
    }
    function settle(how: () => void): void {
      req.off('data', read).off('end', end).off('error', fail).off('close', fail)
      how()
    }
  })
}

/** A caller that still sends after this much is cut off. */
const maxDiscardedBytes = 8 * 1024 * 1024

function discardRest(req: Request): void {
  const wasNeverToldToSend = isWaiting(req) && req.readableFlowing === null
  if (req.complete || req.destroyed || wasNeverToldToSend) return
  let discarded = 0
  req.on('error', () => {})
  req.on('data', (chunk: Buffer) => {
    discarded += chunk.length
    if (discarded > maxDiscardedBytes) req.socket.destroy()
  })
  req.resume()
}
