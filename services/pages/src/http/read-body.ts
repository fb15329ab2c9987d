import type { IncomingMessage } from 'node:http'
import { errors } from '@storekeep/common/errors'
import { addressGroup } from '@storekeep/common/http'
import type { PagesContext } from '../context.ts'

/** Returns a function that reads the fields of a submitted form, however often it is called. */
export function createFormReader(
  ctx: PagesContext,
  req: IncomingMessage,
  address: string,
): () => Promise<URLSearchParams> {
  let form: Promise<URLSearchParams> | undefined
  return () => {
    form ??= readForm(ctx, req, address)
    return form
  }
}

async function readForm(ctx: PagesContext, req: IncomingMessage, address: string): Promise<URLSearchParams> {
  const [type] = (req.headers['content-type'] ?? '').split(';')
  if (type?.trim().toLowerCase() !== 'application/x-www-form-urlencoded') {
    throw errors.badRequest('The body must be a submitted form.')
  }
  return new URLSearchParams((await readBytes(ctx, req, { address, limitBytes: maxFormBytes })).toString('utf8'))
}

/**
 * Reads a body unchanged.
 * @throws ServiceFault as `BodyReader.read`
 */
export function readBytes(
  { bodies }: PagesContext,
  req: IncomingMessage,
  { address, limitBytes }: { address: string; limitBytes: number },
): Promise<Buffer> {
  return bodies.read(req, { limitBytes, client: () => addressGroup(address) })
}

const maxFormBytes = 16 * 1024
