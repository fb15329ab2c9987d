import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { HttpResponse } from './http-client.ts'
import { ContractViolation, loadPublishedContract, type PublishedContract } from './published-contract.ts'

const json = (schema: unknown) => ({ content: { 'application/json': { schema } } })
const description = {
  openapi: '3.1.1',
  paths: {
    '/v1/things/{id}': {
      get: {
        responses: {
          200: json({ $ref: '#/components/schemas/Thing' }),
          404: json({ $ref: '#/components/schemas/ServiceError' }),
        },
      },
      delete: { responses: { 204: {} } },
    },
    '/v1/things/count': { get: { responses: { 200: json({ type: 'integer' }) } } },
  },
  components: {
    schemas: {
      Thing: {
        type: 'object',
        required: ['id'],
        properties: {
          id: { type: 'string' },
          name: { type: ['string', 'null'] },
          created_at: { type: 'string' },
        },
      },
      ServiceError: { type: 'object', properties: { status: { type: 'integer' }, code: { type: 'string' } } },
    },
  },
}

describe('the validation of responses against /openapi.json', () => {
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(description))
  })
  let contract: PublishedContract
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    contract = await loadPublishedContract(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  })
  afterAll(() => void server.close())

  function check(path: string, status: number, body: unknown, method = 'GET'): void {
    const response: HttpResponse = {
      method,
      path,
      status,
      body,
      text: body === undefined ? '' : JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    }
    contract.check(response)
  }

  const thing = { id: '1', name: null, created_at: '2026-01-01T00:00:00.000Z' }

  it('accepts a matching response', () => {
    check('/v1/things/1?x=y', 200, thing)
    check('/v1/things/1', 404, { status: 404, code: 'not-found' })
    check('/v1/things/1', 204, undefined, 'DELETE')
    check('/v1/things/count', 200, 5)
    check('/v1/nowhere', 404, { status: 404, code: 'not-found' })
    check('/v1/things/1', 405, { status: 405, code: 'method-not-allowed' }, 'PATCH')
  })

  it.each([
    ['an undocumented status', '/v1/things/1', 500, { status: 500, code: 'internal-error' }, 'GET'],
    ['a field of the wrong type', '/v1/things/1', 200, { ...thing, id: 1 }, 'GET'],
    ['an absent optional field instead of null', '/v1/things/1', 200, { id: '1', created_at: thing.created_at }, 'GET'],
    ['an undocumented field', '/v1/things/1', 200, { ...thing, secret: 'x' }, 'GET'],
    ['a date without milliseconds', '/v1/things/1', 200, { ...thing, created_at: '2026-01-01T00:00:00Z' }, 'GET'],
    ['an undocumented body', '/v1/things/1', 204, {}, 'DELETE'],
    ['a response that matches only the parameterized path', '/v1/things/count', 200, thing, 'GET'],
    ['an undocumented route that succeeds', '/v1/hidden', 200, {}, 'GET'],
    ['an error with missing fields', '/v1/nowhere', 404, { status: 404 }, 'GET'],
  ])('rejects %s', (_, path, status, body, method) => {
    expect(() => check(path, status, body, method)).toThrow(ContractViolation)
  })
})
