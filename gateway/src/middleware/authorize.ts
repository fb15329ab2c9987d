import { errors, violation } from '@storekeep/common/errors'
import { isFlakeId } from '@storekeep/common/flake'
import type { RequestHandler } from 'express'
import { httpFaults } from '../errors/http-faults.ts'
import type { Endpoint } from '../http/endpoint.ts'
import { requestContextOf } from '../http/request-context.ts'

/** Restricts an API key to its store and its scopes. Never reveals whether another store exists. */
export function authorize({ auth, scope }: Endpoint): RequestHandler {
  return (req, res, next) => {
    if (auth === 'api-key') {
      const { storeId, scopes } = requestContextOf(res)
      const requestedId = String(req.params.storeId)
      if (!isFlakeId(requestedId)) throw errors.validationFailed([violation('storeId', 'format', 'must be an id')])
      if (requestedId !== storeId) throw httpFaults.otherStore()
      if (scope === undefined || !scopes.has(scope)) throw httpFaults.missingScope(scope)
    }
    next()
  }
}
