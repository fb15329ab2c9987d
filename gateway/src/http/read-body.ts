import { addressGroup, callerAddress, discardRest, payloadTooLarge } from '@storekeep/common/http'
import type { Request, Response } from 'express'
import type { GatewayContext } from '../context.ts'
import { parseJsonBody } from './json-body.ts'
import { checkMediaType } from './media-type.ts'
import { requestContextOf } from './request-context.ts'

/**
 * Reads and parses the JSON body of a request; an absent body is `{}`.
 *
 * When the body is rejected before its end, the rest is read and discarded, up to a limit, so that the caller receives
 * the error response instead of a connection reset.
 */
export async function readBody(ctx: GatewayContext, req: Request, res: Response, limitBytes: number): Promise<unknown> {
  const { 'content-type': type, 'content-encoding': encoding, 'content-length': announced } = req.headers
  const announcedBytes = announced === undefined ? undefined : Number(announced)
  if (announcedBytes === 0 || (announced === undefined && req.headers['transfer-encoding'] === undefined)) return {}
  try {
    if (announcedBytes !== undefined) {
      checkMediaType(type, encoding)
      if (announcedBytes > limitBytes) throw payloadTooLarge(limitBytes)
    }
  } catch (error) {
    const wasNeverRequested = expectsContinue(req) && req.readableFlowing === null
    if (!wasNeverRequested) discardRest(req)
    throw error
  }
  if (expectsContinue(req)) res.writeContinue()
  const bytes = await ctx.bodies.read(req, { limitBytes, client: () => clientOf(ctx, req, res) })
  if (bytes.length === 0) return {}
  checkMediaType(type, encoding)
  return parseJsonBody(bytes)
}

/** The caller sent `Expect: 100-continue` and holds the body back until then. */
function expectsContinue(req: Request): boolean {
  return req.headers.expect?.toLowerCase() === '100-continue'
}

/** Whose share of the memory for unfinished bodies the request uses: a key's, however many addresses use it. */
function clientOf({ config }: GatewayContext, req: Request, res: Response): string {
  const { apiKeyId } = requestContextOf(res)
  if (apiKeyId !== undefined) return `key ${apiKeyId}`
  return `address ${addressGroup(callerAddress(req, config.http.trustedProxies))}`
}
