import type { RequestHandler } from 'express'
import { httpFaults } from '../errors/http-faults.ts'
import { exchangeOf } from '../http/exchange.ts'

export const notFound: RequestHandler = () => {
  throw httpFaults.routeNotFound()
}

/** For a path that is known, with a method that it does not have. */
export function methodNotAllowed(allow: readonly string[], path: string): RequestHandler {
  return (_req, res) => {
    exchangeOf(res).route = path
    res.setHeader('allow', allow.join(', '))
    throw httpFaults.methodNotAllowed(allow)
  }
}
