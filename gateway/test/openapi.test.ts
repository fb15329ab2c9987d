import { get, type IncomingHttpHeaders } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { httpStatuses } from '@storekeep/common/http'
import { describe, expect, it } from 'vitest'
import { isOfStorefront } from '../src/http/endpoint.ts'
import { describeApi } from '../src/openapi/document.ts'
import { errorCodesOf } from '../src/openapi/error-codes.ts'
import { entryPath } from '../src/openapi/reference/library.ts'
import { endpoints } from '../src/routes/index.ts'
import { serviceErrorSchema } from '../src/schemas/service-error.ts'
import { useGateway } from './harness.ts'

const gateway = useGateway()
const document = JSON.parse(JSON.stringify(describeApi(endpoints))) as Document
const operations = endpoints.map((endpoint) => ({ name: endpoint.operationId, endpoint }))

interface Document {
  openapi: string
  info: { description: string }
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, object>; securitySchemes: Record<string, object> }
}

interface Operation {
  operationId: string
  summary: string
  security: object[]
  parameters?: { in: string; name: string; required?: boolean; schema: object }[]
  requestBody?: { required: boolean; content: Record<string, { schema: object; example?: unknown }> }
  responses: Record<string, { description: string; content?: Record<string, Media> }>
}

interface Media {
  schema: { $ref?: string }
  example?: unknown
  examples?: Record<string, { value: unknown }>
}

describe('the OpenAPI document', () => {
  it('is served by the gateway and contains exactly its endpoints', async () => {
    expect((await gateway.request('GET', '/openapi.json')).body).toEqual(document)
    expect(document.openapi).toBe('3.1.1')
    const listed = Object.values(document.paths).flatMap((path) => Object.values(path).map((one) => one.operationId))
    expect(listed.sort()).toEqual(endpoints.map(({ operationId }) => operationId).sort())
    expect(new Set(listed).size).toBe(listed.length)
  })

  it('declares both security schemes', () => {
    expect(document.components.securitySchemes).toMatchObject({
      APIKey: { type: 'apiKey', in: 'header', name: 'Authorization' },
      Customer: { type: 'apiKey', in: 'header', name: 'Authorization' },
    })
  })

  it('lists the error codes of the contract with their HTTP statuses', () => {
    expect(httpStatuses).toEqual({
      'bad-request': 400,
      'validation-failed': 400,
      unauthorized: 401,
      forbidden: 403,
      'customer-banned': 403,
      'platform-not-allowed': 403,
      'not-found': 404,
      'method-not-allowed': 405,
      conflict: 409,
      'payload-too-large': 413,
      'unsupported-media-type': 415,
      'idempotency-mismatch': 422,
      'too-many-requests': 429,
      'internal-error': 500,
      'service-unavailable': 503,
    })
    expect(document.components.schemas.ErrorCode).toMatchObject({ enum: Object.keys(httpStatuses) })
  })

  it('contains every referenced schema, under the names of the interface', () => {
    const names = [...JSON.stringify(document).matchAll(/#\/components\/schemas\/(\w+)/g)].map(([, name]) => name ?? '')
    for (const name of names) expect(document.components.schemas, name).toHaveProperty(name)
    expect(Object.keys(document.components.schemas)).toEqual(
      expect.arrayContaining([
        'ActorDto',
        'BanDto',
        'BanIdentityDto',
        'CheckForBanIDByIdentitiesRequestDto',
        'CheckForBanIDByIdentitiesResponseDto',
        'CheckoutSessionDto',
        'CreateCheckoutSessionManagementDto',
        'CreateCheckoutSessionResponseDto',
        'CreateProductDto',
        'CustomerDto',
        'ProductDto',
        'UpdateProductDto',
        'UpsertBanRequestDto',
        'UpsertCustomerRequestDto',
        'CustomerTokenResponseDto',
        'CustomerPortalSessionDto',
        'CreateCustomerPortalSessionRequestDto',
        'DashboardSearchResultTypeDto',
        'FlakeId',
        'SearchDashboardResponseDto',
        'SteamId',
        'ServiceError',
        'Store',
        'ValidationError',
      ]),
    )
  })

  it('declares search_hints as a deepObject', () => {
    const { parameters = [] } = document.paths['/v1/stores/{storeId}/dashboard/search']?.get ?? {}
    const hints = parameters.find(({ name }) => name === 'search_hints')
    expect(hints).toMatchObject({ in: 'query', style: 'deepObject', explode: true })
    expect(hints?.schema).toMatchObject({ $ref: '#/components/schemas/SearchHints' })
  })

  it.each([
    ['1', true],
    ['9223372036854775807', true],
    ['0', false],
    ['01', false],
    ['10000000000000000000', false],
  ])('describes ids by a short pattern, which leaves the exact maximum to the service: %s %s', (id, isAccepted) => {
    const { pattern } = document.components.schemas.FlakeId as { pattern: string }
    expect(new RegExp(pattern).test(id)).toBe(isAccepted)
  })

  it('adds nothing but a description to a reference', () => {
    const references = JSON.stringify(document).match(/\{[^{}]*"\$ref":[^{}]*\}/g) ?? []
    const keywords = references.flatMap((text) => Object.keys(JSON.parse(text)))
    expect(new Set(keywords)).toEqual(new Set(['$ref', 'description', 'default', 'required']))
  })

  it('has no examples in parameters, which the page at /docs would prefill, except of an object', () => {
    const parameters = Object.values(document.paths)
      .flatMap((path) => Object.values(path).flatMap((one) => one.parameters ?? []))
      .filter(({ name }) => name !== 'search_hints')
    expect(parameters.length).toBeGreaterThan(0)
    expect(JSON.stringify([parameters, document.components.schemas.FlakeId])).not.toMatch(/"examples?":/)
    expect(JSON.stringify(document.components.schemas.SteamId)).not.toMatch(/"examples?":/)
  })

  it('allows new fields in responses: no schema forbids additional properties', () => {
    expect(JSON.stringify(document)).not.toContain('"additionalProperties":false')
  })
})

describe.each(operations)('$name', ({ endpoint }) => {
  const operation = document.paths[endpoint.path]?.[endpoint.method]

  it('declares its summary, security and parameters', () => {
    expect(operation?.summary).toMatch(/^[A-Z].*[^.]$/)
    expect(endpoint.operationId).toMatch(/^[a-z]+([A-Z][a-z]+)+$/)
    const inPath = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
    const parameters = operation?.parameters ?? []
    expect(parameters.filter((one) => one.in === 'path').map(({ name }) => name)).toEqual(inPath)
    const header = (name: string) => parameters.find((one) => one.in === 'header' && one.name === name)
    expect(header('x-service-store-id')?.required).toBe(isOfStorefront(endpoint) ? true : undefined)
    const security = {
      'api-key': [{ APIKey: [] }],
      customer: [{ Customer: [] }],
      'customer-optional': [{}, { Customer: [] }],
      none: [],
      'game-server': [{ GameServer: [] }],
    }
    expect(operation?.security).toEqual(security[endpoint.auth])
    expect(endpoint.scope !== undefined).toBe(endpoint.auth === 'api-key')
  })

  it('declares each status with its codes and an example of each', () => {
    const { success } = endpoint
    const statuses = errorCodesOf(endpoint).map((code) => httpStatuses[code])
    const expected = new Set([success.status, ...(success.hasEtag ? [304] : []), ...statuses].map(String))
    expect(new Set(Object.keys(operation?.responses ?? {}))).toEqual(expected)
    for (const code of errorCodesOf(endpoint)) {
      const media = operation?.responses[httpStatuses[code]]?.content?.['application/json']
      expect(media?.schema.$ref).toBe('#/components/schemas/ServiceError')
      expect(serviceErrorSchema.parse(media?.examples?.[code]?.value)).toMatchObject({ code })
    }
  })

  it('has examples that its schemas accept', () => {
    const { success, body, bodyExample } = endpoint
    const media = operation?.responses[success.status]?.content?.['application/json']
    if (success.schema) expect(success.schema.parse(media?.example)).toEqual(media?.example)
    else expect(media).toBeUndefined()
    if (!body) return
    expect(Object.keys(operation?.requestBody?.content ?? {})).toEqual(['application/json'])
    expect(bodyExample).toBeDefined()
    expect((endpoint.documentedBody ?? body).safeParse(bodyExample).success).toBe(true)
    expect(body.safeParse(bodyExample).success).toBe(true)
  })
})

describe('/docs', () => {
  it('serves the same page with a trailing slash', async () => {
    const [plain, slashed] = [await gateway.request('GET', '/docs'), await gateway.request('GET', '/docs/')]
    expect([slashed.status, slashed.text]).toEqual([200, plain.text])
    expect(slashed.headers['content-security-policy']).toBe(plain.headers['content-security-policy'])
  })

  it('loads only from the same origin, and its policy allows no other', async () => {
    const page = await gateway.request('GET', '/docs')
    expect(page.headers['content-type']).toMatch(/^text\/html/)
    const policy = String(page.headers['content-security-policy'])
    expect(policy).toContain("default-src 'none'; script-src 'self';")
    expect(policy).toContain("connect-src 'self'")
    expect(policy).not.toMatch(/https?:|\*|eval/)
    const sources = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, source]) => source ?? '')
    for (const source of sources.filter((one) => one !== 'data:,')) {
      expect(source).toMatch(/^\/(docs|openapi\.json)/)
      expect({ source, status: (await gateway.request('GET', source)).status }).toEqual({ source, status: 200 })
    }
  })

  it('has guides with the error codes and the limits of the code', async () => {
    const { text } = await gateway.request('GET', '/docs/guides.md')
    for (const [code, status] of Object.entries(httpStatuses)) expect(text).toContain(`\n| \`${code}\` | ${status} | `)
    expect(text).toContain('| Requests of an API key | 12,000 |')
    expect(text).toContain('| Custom variables of a store, and their options in total | 500, 4,000 |')
    const headings = [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => heading.toLowerCase())
    for (const [, target] of text.matchAll(/\(#description\/([\w-]+)\)/g))
      expect(headings).toContain(target?.replaceAll('-', ' '))
  })

  it('serves no file of the package but its scripts', async () => {
    const { text } = await gateway.request('GET', '/docs')
    const [, folder] = /href="([^"]+)standalone\.esm\.js"/.exec(text) ?? []
    for (const file of ['standalone.esm.js.map', '..%2Fstyle.css', '../style.css', 'chunks', ''])
      expect((await gateway.request('GET', `${folder}${file}`)).status).toBe(404)
    expect((await gateway.request('POST', `${folder}standalone.esm.js`)).status).toBe(405)
  })

  it.each(['/openapi.json', '/docs', '/docs/guides.md', entryPath])(
    'serves %s compressed as the client prefers, and not again what it has',
    async (path) => {
      const plain = await gateway.request('GET', path)
      expect(plain.headers).not.toHaveProperty('content-encoding')
      for (const [accepted, encoding, decode] of encodings) {
        const headers = { 'accept-encoding': accepted }
        const response = await send(path, headers)
        expect(response.headers['content-encoding']).toBe(encoding)
        expect(decode(response.bytes).toString()).toBe(plain.text)
        const { etag = '' } = response.headers
        const again = await send(path, { ...headers, 'if-none-match': etag })
        expect([again.status, again.bytes.length, again.headers.etag]).toEqual([304, 0, etag])
        expect(etag).not.toBe(plain.headers.etag)
        const stale = await send(path, { ...headers, 'if-none-match': plain.headers.etag ?? '' })
        expect(stale.status).toBe(200)
      }
      const isVersioned = path === entryPath
      expect(plain.headers['cache-control']).toBe(isVersioned ? 'public, max-age=31536000, immutable' : 'no-cache')
      expect(plain.headers.vary).toBe('accept-encoding')
    },
  )
})

const encodings = [
  ['gzip, deflate, br', 'br', brotliDecompressSync],
  ['gzip, br;q=0', 'gzip', gunzipSync],
] as const

function send(path: string, headers: Record<string, string>) {
  return new Promise<{ status: number | undefined; headers: IncomingHttpHeaders; bytes: Buffer }>((resolve, reject) => {
    const outgoing = get({ host: '127.0.0.1', port: gateway.running.port, path, headers }, (incoming) => {
      buffer(incoming).then(
        (bytes) => resolve({ status: incoming.statusCode, headers: incoming.headers, bytes }),
        reject,
      )
    })
    outgoing.on('error', reject)
  })
}
