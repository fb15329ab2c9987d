import { readBody } from '@storekeep/common/http'
import type { GatewayContext } from '../context.ts'
import type { GatewayRequest } from './gateway-request.ts'
import { parseJsonBody } from './json-body.ts'
import { checkMediaType } from './media-type.ts'

/** Reads and parses the JSON body of a request; an absent body is `{}`. */
export async function readJson(
  { bodies }: GatewayContext,
  request: GatewayRequest,
  limitBytes: number,
): Promise<unknown> {
  const { 'content-type': type, 'content-encoding': encoding } = request.req.headers
  const bytes = await readBody(bodies, request, {
    limitBytes,
    // The share of a key, however many addresses use it.
    client: request.apiKeyId === undefined ? undefined : `key ${request.apiKeyId}`,
    check: () => checkMediaType(type, encoding),
  })
  return bytes.length === 0 ? {} : parseJsonBody(bytes)
}
