import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { acceptsEncoding, type Handler, type RequestContext } from '@storekeep/common/http'
import { etagOf, isCurrent } from './etag.ts'
import type { RenderedBody } from './rendered-body.ts'

/**
 * Serves content that never changes while the process runs. All responses share one buffer per encoding, created when a
 * client first asks for it; most gateways never serve the reference page.
 *
 * @param load runs once for each encoding, so that unused encodings take no memory
 * @param headers of every response, in addition to the encoding and the validator
 */
export function staticContent(
  load: () => Buffer | Promise<Buffer>,
  headers: Readonly<Record<string, string>>,
): Handler<RequestContext> {
  const variants: Record<Encoding, () => Promise<RenderedBody>> = {
    br: once(async () => withTag(await compressBrotli(await load()))),
    gzip: once(async () => withTag(await compressGzip(await load()))),
    identity: once(async () => withTag(await load())),
  }
  return async (request) => {
    const { req, res } = request
    const encoding = encodings.find((one) => acceptsEncoding(req, one)) ?? 'identity'
    const { bytes, etag } = await variants[encoding]()
    for (const [name, value] of Object.entries(headers)) res.setHeader(name, value)
    res.setHeader('vary', 'accept-encoding')
    res.setHeader('etag', etag)
    if (isCurrent(req.headers['if-none-match'], etag)) {
      request.send(304)
      return
    }
    if (encoding !== 'identity') res.setHeader('content-encoding', encoding)
    request.send(200, bytes)
  }
}

type Encoding = 'br' | 'gzip' | 'identity'

/** In order of content size, smallest first. */
const encodings = ['br', 'gzip'] as const

function withTag(bytes: Buffer): RenderedBody {
  return { bytes, etag: etagOf(bytes) }
}

/** Runs the work once and shares its result; a failure is not kept. */
function once<T>(work: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | undefined
  return () => {
    result ??= work().catch((error) => {
      result = undefined
      throw error
    })
    return result
  }
}

/** The default quality of 11 takes seconds for a file of this size and saves little. */
const compressBrotli = (bytes: Buffer) =>
  promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } })
const compressGzip = promisify(gzip)
