import { promotedBytes } from '@storekeep/common/testing'
import type { Request, Response } from 'express'
import { expect, it } from 'vitest'
import { z } from 'zod'
import type { GatewayContext } from '../context.ts'
import { endpoint } from '../http/endpoint.ts'
import { handleRequest } from './handle-request.ts'

it('a finished request leaves nothing for full collections', async () => {
  const handle = handleRequest(ctx, readsStoreAndCall)
  const left = await promotedBytes(30, async () => {
    for (let count = 0; count < 50; count += 1) await handle(...exchange())
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

const ctx = { config: { http: {} } } as GatewayContext
const payloadBytes = 8 * 256

/** A request with a payload, and its response. */
function exchange(): [Request, Response] {
  const payload = Array.from({ length: 256 }, () => 1)
  const req = { url: '/', headers: {}, payload, isPaused: () => false } as unknown as Request
  const requestContext = { storeId: '1', callOptions: () => ({ requestId: '1' }), lifecycle: {} }
  const res = { locals: { requestContext }, req, setHeader: () => undefined, end: () => undefined }
  return [req, res as unknown as Response]
}
