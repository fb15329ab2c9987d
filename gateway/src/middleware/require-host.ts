import { errors } from '@storekeep/common/errors'
import type { RequestHandler } from 'express'

/** HTTP/1.1 requires a Host header. Node itself would reject the request without a ServiceError. */
export const requireHost: RequestHandler = (req, _res, next) => {
  if (req.headers.host === undefined && req.httpVersion === '1.1')
    throw errors.badRequest('The Host header is missing.')
  next()
}
