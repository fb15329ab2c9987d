import type { RequestHandler } from 'express'
import { httpFaults } from '../errors/http-faults.ts'
import type { Step } from './step.ts'

export const notFound: RequestHandler = () => {
  throw httpFaults.routeNotFound()
}

/** For a known path with a method that it does not support. */
export function methodNotAllowed(allow: readonly string[]): Step {
  return (_req, res) => {
    res.setHeader('allow', allow.join(', '))
    throw httpFaults.methodNotAllowed(allow)
  }
}
