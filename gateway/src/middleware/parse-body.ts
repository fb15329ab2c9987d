import { errors } from '@storekeep/common/errors'
import { readBody } from '@storekeep/common/http'
import type { GatewayContext } from '../context.ts'
import { defaultBodyLimitBytes, type Endpoint, takesBody, takesIdempotencyKey } from '../http/endpoint.ts'
import type { GatewayRequest } from '../http/gateway-request.ts'
import { parseJsonBody } from '../http/json-body.ts'
import { parseLenientBody } from '../http/lenient-body.ts'
import { checkMediaType } from '../http/media-type.ts'
import type { Step } from './step.ts'

/** Reads the body and the Idempotency-Key of a POST, PUT or PATCH, and the body of a game server's DELETE. */
export function parseBody(ctx: GatewayContext, endpoint: Endpoint): Step | undefined {
  if (!takesBody(endpoint)) return undefined
  const { path, auth, bodyLimitBytes = defaultBodyLimitBytes } = endpoint
  if (auth === 'game-server') return parsePluginBody(ctx, endpoint)
  const isIdempotent = takesIdempotencyKey(endpoint)
  return async (request) => {
    const { req, params } = request
    const key = req.headers['idempotency-key']
    if (isIdempotent && key !== undefined) {
      if (typeof key !== 'string' || !idempotencyKey.test(key)) {
        throw errors.badRequest('The Idempotency-Key must have 1 to 255 visible ASCII characters.')
      }
      request.idempotency = { key, scope: `${req.method} ${concretePath(path, params)}` }
    }
    request.body = await readJson(ctx, request, bodyLimitBytes)
  }
}

/** Reads the body of a plugin, whatever its type says it is. */
function parsePluginBody(
  { bodies }: GatewayContext,
  { ignoresUnreadableBody = false, bodyLimitBytes = defaultBodyLimitBytes }: Endpoint,
): Step {
  return async (request) => {
    const client = `game server ${request.gameServer?.identity.id}`
    const bytes = await readBody(bodies, request, { limitBytes: bodyLimitBytes, client })
    try {
      request.body = parseLenientBody(bytes)
    } catch (error) {
      if (!ignoresUnreadableBody) throw error
    }
  }
}

/** Reads and parses the JSON body of a request; an absent body is `{}`. */
async function readJson({ bodies }: GatewayContext, request: GatewayRequest, limitBytes: number): Promise<unknown> {
  const { 'content-type': type, 'content-encoding': encoding } = request.req.headers
  const bytes = await readBody(bodies, request, {
    limitBytes,
    // A key has one share, regardless of the number of addresses that use it.
    client: request.apiKeyId === undefined ? undefined : `key ${request.apiKeyId}`,
    check: () => checkMediaType(type, encoding),
  })
  return bytes.length === 0 ? {} : parseJsonBody(bytes)
}

const idempotencyKey = /^[\x21-\x7e]{1,255}$/

/** Built from the template, so that different encodings of a path share one idempotency scope. */
function concretePath(template: string, params: GatewayRequest['params']): string {
  return template.replace(/\{(\w+)\}/g, (_all, name: string) => String(params[name]))
}
