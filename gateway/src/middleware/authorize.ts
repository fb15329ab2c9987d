import { errors, violation } from '@storekeep/common/errors'
import { isFlakeId } from '@storekeep/common/flake'
import type { RequestHandler } from 'express'
import type { Endpoint } from '../http/endpoint.ts'
import { exchangeOf } from '../http/exchange.ts'

/** An API key acts in its own store, as far as its scopes go. Says nothing about whether another store exists. */
export function authorize({ auth, scope }: Endpoint): RequestHandler {
  return (req, res, next) => {
    if (auth === 'api-key') {
      const { storeId, scopes } = exchangeOf(res)
      const asked = String(req.params.storeId)
      if (!isFlakeId(asked)) throw errors.validationFailed([violation('storeId', 'format', 'must be an id')])
      if (asked !== storeId) throw errors.forbidden('The API key is not one of this store.')
      if (scope === undefined || !scopes.has(scope)) throw errors.forbidden(`The API key lacks the scope ${scope}.`)
    }
    next()
  }
}
