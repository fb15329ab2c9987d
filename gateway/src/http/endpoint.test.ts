import { expect, it } from 'vitest'
import { z } from 'zod'
import { describeApi } from '../openapi/document.ts'
import { endpoint } from './endpoint.ts'

const base = {
  operationId: 'Things_CreateThing',
  tag: 'Things',
  summary: 'Create a thing',
  method: 'post',
  path: '/v1/stores/{storeId}/things',
  handle: async () => ({ body: { id: '5' } }),
} as const
const schema = z.object({ id: z.string() })
const made = { status: 201, description: 'The thing.', schema, location: '/v1/stores/{storeId}/things/{id}' } as const
const done = { status: 200, description: 'The thing.', schema } as const

it('declares where to find what it made', () => {
  const document = describeApi([endpoint({ ...base, auth: 'api-key', scope: 'products:write', success: made })])
  const answer = document.paths?.[base.path]?.post?.responses?.['201']
  expect(answer).toMatchObject({ headers: { location: { required: true } } })
})

it('compiles only with a known scope for API keys, and with a location for 201', () => {
  const { location, ...lost } = made
  endpoint({ ...base, auth: 'none', success: done })
  // @ts-expect-error no scope
  endpoint({ ...base, auth: 'api-key', success: done })
  // @ts-expect-error there is no such scope
  endpoint({ ...base, auth: 'api-key', scope: 'product:write', success: done })
  // @ts-expect-error a customer has no scopes
  endpoint({ ...base, auth: 'customer', scope: 'products:write', success: done })
  // @ts-expect-error no location
  endpoint({ ...base, auth: 'none', success: lost })
  // @ts-expect-error nothing was made
  endpoint({ ...base, auth: 'none', success: { ...done, location } })
})
