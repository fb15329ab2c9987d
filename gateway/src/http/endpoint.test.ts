import { expect, it } from 'vitest'
import { z } from 'zod'
import { describeApi } from '../openapi/document.ts'
import { endpoint } from './endpoint.ts'

const base = {
  operationId: 'createThing',
  tag: 'Products',
  summary: 'Create a thing',
  description: 'Creates a thing.',
  method: 'post',
  path: '/v1/stores/{storeId}/things',
  handle: async () => ({ body: { id: '5' } }),
} as const
const schema = z.object({ id: z.string() })
const created = {
  status: 201,
  description: 'The thing.',
  schema,
  location: '/v1/stores/{storeId}/things/{id}',
} as const
const ok = { status: 200, description: 'The thing.', schema } as const

it('documents the Location header of a created resource', () => {
  const document = describeApi([endpoint({ ...base, auth: 'api-key', scope: 'products:write', success: created })])
  const response = document.paths?.[base.path]?.post?.responses?.['201']
  expect(response).toMatchObject({ headers: { location: { required: true } } })
})

it('compiles only with a known scope for API keys and with a location for 201', () => {
  const { location, ...withoutLocation } = created
  endpoint({ ...base, auth: 'none', success: ok })
  // @ts-expect-error no scope
  endpoint({ ...base, auth: 'api-key', success: ok })
  // @ts-expect-error unknown scope
  endpoint({ ...base, auth: 'api-key', scope: 'product:write', success: ok })
  // @ts-expect-error customers have no scopes
  endpoint({ ...base, auth: 'customer', scope: 'products:write', success: ok })
  // @ts-expect-error no location
  endpoint({ ...base, auth: 'none', success: withoutLocation })
  // @ts-expect-error 200 creates nothing
  endpoint({ ...base, auth: 'none', success: { ...ok, location } })
})
