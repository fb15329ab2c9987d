import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { fillHoles } from './generator/id-hole.ts'
import {
  breaks,
  checkResponse,
  createDraftSender,
  createSchemaArbitrary,
  describedRequests,
} from './generator/index.ts'
import { createHttpClient, type HttpResponse } from './http-client.ts'
import type { Description, JsonSchema } from './published-contract.ts'
import { openStore } from './test-store.ts'

const flakeId = { $ref: '#/components/schemas/FlakeId' }
const thing: JsonSchema = {
  type: 'object',
  required: ['name', 'parent_id'],
  properties: {
    name: { type: 'string', minLength: 1, maxLength: 8 },
    parent_id: flakeId,
    uuid: { type: 'string', pattern: '^[0-9a-f]{2}(-?)[0-9a-f]{2}\\1[0-9a-f]{2}$' },
    count: { anyOf: [{ type: 'integer', minimum: 1, maximum: 9 }, { type: 'null' }] },
    kind: { type: 'string', enum: ['a', 'b'] },
    steam: { type: ['string', 'integer'], pattern: '^[1-9][0-9]{3}$', minimum: 0 },
    tags: { type: 'array', minItems: 1, maxItems: 3, items: { type: 'string', maxLength: 2 } },
    metadata: { type: 'object', additionalProperties: { type: 'string' }, maxProperties: 2 },
    until: { type: 'string', format: 'date-time' },
  },
}
const schemas = { FlakeId: { type: 'string', pattern: '^[1-9][0-9]{0,18}$' }, Thing: thing }
const responses = { 200: {} }
const storeParameter = { in: 'path', name: 'storeId', required: true, schema: flakeId } as const
const thingParameter = { in: 'path', name: 'thingId', required: true, schema: flakeId } as const
const description: Description = {
  openapi: '3.1.1',
  components: { schemas },
  paths: {
    '/v1/stores/{storeId}/things': {
      post: {
        security: [{ APIKey: [] }],
        parameters: [storeParameter],
        requestBody: {
          required: true,
          content: {
            'application/json': {
              schema: { $ref: '#/components/schemas/Thing' },
              example: { name: 'one', parent_id: '5' },
            },
          },
        },
        responses,
      },
    },
    '/v1/stores/{storeId}/things/{thingId}': {
      get: { security: [{ APIKey: [] }], parameters: [storeParameter, thingParameter], responses },
      delete: { security: [{ APIKey: [] }], parameters: [storeParameter, thingParameter], responses },
    },
  },
}

describe('values generated from a schema', () => {
  it('match the schema', () => {
    const ajv = new Ajv2020({ strict: false, formats: { 'date-time': /^\d{4}-.*Z$/ } })
    const isAllowed = ajv.compile({
      ...thing,
      components: { schemas },
      properties: { ...thing.properties, parent_id: {} },
    })
    fc.assert(
      fc.property(createSchemaArbitrary(schemas).valuesOf({ $ref: '#/components/schemas/Thing' }), (value) => {
        expect(isAllowed(fillHoles(value, () => '7')), JSON.stringify([value, isAllowed.errors])).toBe(true)
      }),
    )
  })

  it('contain placeholders for ids', () => {
    const [value] = fc.sample(createSchemaArbitrary(schemas).valuesOf(flakeId, 'parent_id'), 1)
    expect(fillHoles([{ a: value }], (name) => `id of ${name}`)).toEqual([{ a: 'id of parent_id' }])
  })
})

describe('generated requests', () => {
  it('refer to records of earlier requests, with the key of the store', async () => {
    const { send, seen } = await sendTo(memory())
    const statuses = new Map<string, Set<number>>()
    for (const draft of sampled(200)) {
      const { method, status } = await send(draft)
      statuses.set(method, (statuses.get(method) ?? new Set()).add(status))
    }
    for (const method of ['POST', 'GET', 'DELETE']) expect(statuses.get(method)).toContain(200)
    expect(new Set(seen.map(({ headers }) => headers.authorization))).toEqual(new Set(['APIKey key-1', 'APIKey key-2']))
  })

  it('refer to records of another store when they are foreign', async () => {
    const { send, seen } = await sendTo(memory())
    const created = new Set<string>()
    for (const draft of sampled(200)) {
      const isForeign = draft.operation.method === 'GET'
      const response = await send({ ...draft, isForeign })
      if (response.method === 'POST') created.add(`${response.path}/${(response.body as { id: string }).id}`)
      if (isForeign) expect(response.status).toBe(404)
    }
    const requested = seen.filter(({ method }) => method === 'GET').map(({ url = '' }) => url)
    const inTheOther = requested.map((url) => url.replace(/stores\/(.)/, (_own, id) => `stores/${id === '1' ? 2 : 1}`))
    expect(inTheOther.some((url) => created.has(url))).toBe(true)
  })

  it('are the same for the same seed', () => {
    const shown = () => JSON.stringify(sampled(50).map(({ path, json, headers }) => [path, json, headers]))
    expect(shown()).toBe(shown())
  })

  it.each<[string, (body: string, request: IncomingMessage) => boolean]>([
    ['an empty name', (body) => body.includes('"name":""')],
    ['a missing field', (body, { method }) => method === 'POST' && !body.includes('parent_id')],
    ['a name that is not a string', (body) => /"name":[^"]/.test(body)],
    ['a field named __proto__', (body) => body.includes('__proto__')],
    ['a truncated body', (body) => body === '{"name":'],
    ['deep nesting', (body) => body.includes('[{"a":[{"a":[{"a":[')],
    ['another content type', (_body, { headers }) => headers['content-type'] === 'text/plain'],
    ['a malformed id', (_body, { url = '' }) => url.includes('/things/..')],
    ['an unknown parameter', (_body, { url = '' }) => url.includes('?limit%5B%5D=')],
    ['a missing credential', (_body, { headers }) => headers.authorization === undefined],
  ])('when broken, find a server that fails on %s', async (_what, isFatal) => {
    const { send } = await sendTo(async (request, response) => {
      const body = await text(request)
      response.writeHead(isFatal(body, request) ? 500 : 200, { 'x-request-id': '1' }).end()
    })
    let found = false
    for (const [index, draft] of sampled(3_000).entries()) {
      const [breakIt = (same: typeof draft) => same] = fc.sample(breaks, { seed: index, numRuns: 1 })
      found = (await send(breakIt(draft))).status === 500
      if (found) break
    }
    expect(found).toBe(true)
  })
})

describe('checkResponse', () => {
  const response = (status: number, body: string, headers = { 'x-request-id': 'abc' }): HttpResponse => {
    return { method: 'GET', path: '/', status, headers, text: body, body: undefined }
  }

  it('accepts successes and client errors', () => {
    checkResponse(response(200, '{"name":"select a from b"}'))
    checkResponse(response(400, '{"message":"name: must have 1 to 128 characters"}'))
  })

  it.each([
    ['a server error', response(500, '{}')],
    ['a missing request id', response(400, '{}', { 'x-request-id': '' })],
    ['a stack trace', response(400, 'Error\n    at parse (/srv/gateway/src/http/json-body.ts:30:5)')],
    ['a database error', response(409, 'duplicate key value violates unique constraint "customer_pkey"')],
    ['a runtime error', response(400, "Cannot read properties of undefined (reading 'x')")],
  ])('rejects %s', (_what, wrong) => {
    expect(() => checkResponse(wrong)).toThrow()
  })
})

const closing: (() => void)[] = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
})

/** Sends drafts to two stores of a server with this listener. */
async function sendTo(listener: RequestListener) {
  const seen: IncomingMessage[] = []
  const server = createServer((request, response) => {
    seen.push(request)
    listener(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const http = createHttpClient(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  closing.push(http.close, () => server.close())
  const stores = ['1', '2'].map((id) =>
    openStore(http, { id, slug: id, game: 'rust', apiKey: `key-${id}`, apiKeyId: id }),
  )
  return { send: createDraftSender(http, description, stores), seen }
}

/** A server that stores records by path, separately for each store. */
function memory(): RequestListener {
  const known = new Set<string>()
  let lastId = 0
  return ({ method, url = '' }, response) => {
    if (method === 'POST') {
      lastId += 1
      known.add(`${url}/${lastId}`)
    }
    const status = method === 'POST' || known.has(url) ? 200 : 404
    if (method === 'DELETE') known.delete(url)
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ id: String(lastId) }))
  }
}

function sampled(numRuns: number) {
  return fc.sample(fc.oneof(...describedRequests(description).map(({ drafts }) => drafts)), { seed: 1, numRuns })
}
