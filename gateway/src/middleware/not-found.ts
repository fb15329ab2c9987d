import type { RequestHandler } from 'express'
import { httpFaults } from '../errors/http-faults.ts'
import { requestContextOf } from '../http/request-context.ts'

export const notFound: RequestHandler = () => {
  throw httpFaults.routeNotFound()
}

/** For a known path with a method that it does not support. */
export function methodNotAllowed(allow: readonly string[], path: string): RequestHandler {
  return (_req, res) => {
    requestContextOf(res).route = path
    res.setHeader('allow', allow.join(', '))
    throw httpFaults.methodNotAllowed(allow)
  }
}
