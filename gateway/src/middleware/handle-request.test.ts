import type { ServerResponse } from 'node:http'
import type { HttpMessage } from '@storekeep/common/http'
import { promotedBytes } from '@storekeep/common/testing'
import { expect, it } from 'vitest'
import { z } from 'zod'
import type { GatewayContext } from '../context.ts'
import { endpoint } from '../http/endpoint.ts'
import { GatewayRequest } from '../http/gateway-request.ts'
import { handleRequest } from './handle-request.ts'

it('a finished request leaves nothing for full collections', async () => {
  const handle = handleRequest(ctx, readsStoreAndCall)
  const left = await promotedBytes(30, async () => {
    for (let count = 0; count < 50; count += 1) await handle(request())
  })
  expect(left).toBeLessThan(payloadBytes * 10)
})

const readsStoreAndCall = endpoint({
  operationId: 'get',
  tag: 'Storefront',
  summary: '',
  description: '',
  method: 'get',
  path: '/v1/store',
  auth: 'none',
  success: { status: 200, description: '', schema: z.object({ id: z.string() }) },
  handle: async (_ctx, { storeId, call }) => ({ body: { id: `${storeId}${call.requestId}` } }),
})

const ctx = {
  config: { calls: { timeoutMs: 1000 } },
  lifecycle: { draining: false },
} as unknown as GatewayContext
const payloadBytes = 8 * 256

/** A request with a payload. */
function request(): GatewayRequest {
  const payload = Array.from({ length: 256 }, () => 1)
  const req = { url: '/', headers: {}, payload, isPaused: () => false } as unknown as HttpMessage
  const res = { setHeader: () => undefined, end: () => undefined } as unknown as ServerResponse
  const request = new GatewayRequest(req, res, ctx)
  request.storeId = '1'
  return request
}
