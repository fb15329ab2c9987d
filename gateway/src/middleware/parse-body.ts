import { errors } from '@storekeep/common/errors'
import type { GatewayContext } from '../context.ts'
import { defaultBodyLimitBytes, type Endpoint } from '../http/endpoint.ts'
import { readBody } from '../http/read-body.ts'
import { requestContextOf } from '../http/request-context.ts'
import type { Step } from './step.ts'

/** Reads the body and the Idempotency-Key of a POST or PATCH. */
export function parseBody(
  ctx: GatewayContext,
  { method, path, auth, bodyLimitBytes = defaultBodyLimitBytes }: Endpoint,
): Step | undefined {
  if (method !== 'post' && method !== 'patch') return undefined
  const isIdempotent = auth !== 'none'
  return async (req, res) => {
    const requestContext = requestContextOf(res)
    const key = req.headers['idempotency-key']
    if (isIdempotent && key !== undefined) {
      if (typeof key !== 'string' || !idempotencyKey.test(key)) {
        throw errors.badRequest('The Idempotency-Key must have 1 to 255 visible ASCII characters.')
      }
      requestContext.idempotency = { key, scope: `${req.method} ${concretePath(path, req.params)}` }
    }
    requestContext.body = await readBody(ctx, req, res, bodyLimitBytes)
  }
}

const idempotencyKey = /^[\x21-\x7e]{1,255}$/

/** Built from the template, so that different encodings of a path share one idempotency scope. */
function concretePath(template: string, params: Record<string, string | string[]>): string {
  return template.replace(/\{(\w+)\}/g, (_all, name: string) => String(params[name]))
}
