import { errors } from '@storekeep/common/errors'
import type { RequestHandler } from 'express'

/** HTTP/1.1 demands a Host. Left to node, the refusal would have no body. */
export const requireHost: RequestHandler = (req, _res, next) => {
  if (req.headers.host === undefined && req.httpVersion === '1.1')
    throw errors.badRequest('The Host header is missing.')
  next()
}
