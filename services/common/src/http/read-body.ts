import type { IncomingMessage } from 'node:http'
import { type BodyReader, discardRest, payloadTooLarge } from './body-reader.ts'
import { addressGroup } from './peer-address.ts'
import type { RequestContext } from './request-context.ts'

/**
 * Reads the body of a request; an absent body is empty. When it is rejected before its end, the rest is read and discarded, up to a
 * limit, so that the client receives the error response instead of a connection reset.
 *
 * @param options.limitBytes a multiple of 1024
 * @param options.client whose share an unfinished body counts against; by default the address
 * @param options.check throws to reject a body before any of it is read
 * @throws ServiceFault as `BodyReader.read`
 */
export async function readBody(
  bodies: BodyReader,
  request: RequestContext,
  { limitBytes, client, check }: BodyOptions,
): Promise<Buffer> {
  const { req, res } = request
  const { 'content-length': announced, 'transfer-encoding': encoding } = req.headers
  const announcedBytes = announced === undefined ? undefined : Number(announced)
  if (announcedBytes === 0 || (announced === undefined && encoding === undefined)) return Buffer.alloc(0)
  try {
    // Whether a body without a length is empty is known only after reading it.
    if (announcedBytes !== undefined) {
      check?.()
      if (announcedBytes > limitBytes) throw payloadTooLarge(limitBytes)
    }
  } catch (error) {
    const wasNeverRequested = expectsContinue(req) && req.readableFlowing === null
    if (!wasNeverRequested) discardRest(req)
    throw error
  }
  if (expectsContinue(req)) res.writeContinue()
  const bytes = await bodies.read(req, {
    limitBytes,
    client: () => client ?? `address ${addressGroup(request.address)}`,
  })
  if (bytes.length > 0) check?.()
  return bytes
}

interface BodyOptions {
  limitBytes: number
  client?: string | undefined
  check?: () => void
}

/** The client sent `Expect: 100-continue` and holds the body back until then. */
function expectsContinue(req: IncomingMessage): boolean {
  return req.headers.expect?.toLowerCase() === '100-continue'
}
