import type { IncomingMessage } from 'node:http'
import { errors, ServiceFault } from '@storekeep/common/errors'

/** Returns a function that reads the fields of a submitted form, however often it is called. */
export function createFormReader(req: IncomingMessage): () => Promise<URLSearchParams> {
  let form: Promise<URLSearchParams> | undefined
  return () => {
    form ??= readForm(req)
    return form
  }
}

async function readForm(req: IncomingMessage): Promise<URLSearchParams> {
  const [type] = (req.headers['content-type'] ?? '').split(';')
  if (type?.trim().toLowerCase() !== 'application/x-www-form-urlencoded') {
    throw errors.badRequest('The body must be a submitted form.')
  }
  return new URLSearchParams((await readBytes(req, maxFormBytes)).toString('utf8'))
}

/**
 * Reads a body unchanged.
 * @throws ServiceFault `payload-too-large`, `bad-request` if the connection closes first
 */
export async function readBytes(req: IncomingMessage, limit: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let length = 0
  try {
    for await (const chunk of req.iterator({ destroyOnReturn: false })) {
      length += chunk.length
      if (length > limit) break
      chunks.push(chunk)
    }
  } catch {
    throw errors.badRequest('The connection closed before the body was complete.')
  }
  if (length <= limit) return Buffer.concat(chunks, length)
  // `send` closes the connection; until then the rest is discarded, so that the client reads the response.
  req.resume()
  throw new ServiceFault('payload-too-large', `The body exceeds ${limit / 1024} KiB.`)
}

const maxFormBytes = 16 * 1024
