import { describe, expect, it } from 'vitest'
import type { Document, Operation } from '../../src/openapi/sdk/document.ts'
import { type Method, methodsOf, queriesOf } from '../../src/openapi/sdk/methods.ts'
import { renderManagement, renderStorefront, renderTypes } from './render.ts'
import { typedDocument } from './typed-document.ts'

const thing = { $ref: '#/components/schemas/ThingDto' }
const store = '/v1/stores/{storeId}'

/** A document with these operations. */
function documentOf(paths: Record<string, Record<string, Partial<Operation>>>): Document {
  const filled = Object.entries(paths).map(([path, operations]) => [
    path,
    Object.fromEntries(
      Object.entries(operations).map(([verb, operation]) => [
        verb,
        { tags: ['Odd things'], summary: 'Do it', responses: { 200: body(thing) }, ...operation },
      ]),
    ),
  ])
  const schemas = {
    ThingDto: { type: 'object' },
    ThingsFoundDto: { properties: { results: { type: 'array', items: thing } } },
  }
  const tags = [{ name: 'Odd things', description: 'What is odd.' }]
  const info = { title: 'Test', version: 'v1' }
  return { openapi: '3.1.1', info, tags, paths: Object.fromEntries(filled), components: { schemas } }
}

function body(schema: object) {
  return { content: { 'application/json': { schema } } }
}

function only(document: Document): Method {
  const { management, storefront } = methodsOf(document)
  const [method] = [...management.flatMap(({ methods }) => methods), ...storefront]
  if (!method) throw new Error('There is no method')
  return method
}

describe('the name of a method', () => {
  it.each([
    ['get', '/odd-things', 'listOddThings', 'list'],
    ['post', '/odd-things', 'createOddThing', 'create'],
    ['post', '/odd-things', 'createOddThingSession', 'create'],
    ['get', '/odd-things/{thingId}', 'getOddThing', 'get'],
    ['delete', '/odd-things/{thingId}', 'deleteOddThing', 'delete'],
    ['post', '/odd-things/bulk', 'bulkCreateOddThings', 'bulkCreate'],
    ['get', '/odd-things/lookup', 'lookupOddThing', 'lookup'],
    ['post', '/odd-things/{thingId}/tokens', 'mintToken', 'mintToken'],
    ['get', '/thing-settings', 'getThingSettings', 'getSettings'],
  ])('of %s %s with the id %s is %s', (verb, path, operationId, name) => {
    const document = documentOf({ [store + path]: { [verb]: { operationId } } })
    expect(methodsOf(document).management).toMatchObject([
      { name: 'oddThings', description: 'What is odd.', methods: [{ name }] },
    ])
  })

  it('may not equal the name of another operation', () => {
    const document = documentOf({
      [`${store}/odd-things/a`]: { post: { operationId: 'doOddThing' } },
      [`${store}/odd-things/b`]: { post: { operationId: 'doThing' } },
    })
    expect(() => methodsOf(document)).toThrow('Two operations become oddThings.do.')
  })
})

describe('an operation', () => {
  it('takes its ids, then its body, then its query', () => {
    const document = documentOf({
      [`${store}/odd-things/{thingId}/parts/{partId}`]: {
        post: {
          operationId: 'replacePart',
          parameters: [
            { in: 'path', name: 'storeId', required: true },
            { in: 'path', name: 'thingId', required: true, description: 'Id of the thing.' },
            { in: 'path', name: 'partId', required: true, description: 'Id of the part.' },
            { in: 'query', name: 'mode' },
            { in: 'header', name: 'idempotency-key' },
          ],
          requestBody: { required: true, ...body({ type: 'array', items: thing }) },
          responses: { 204: {} },
        },
      },
    })
    const { management } = methodsOf(document)
    const source = renderManagement(document, management)
    expect(source).toContain(
      'replacePart(thingId: string, partId: string, body: Thing[], params?: OddThingsReplacePartParams, options?: WriteOptions): ResponsePromise<void>',
    )
    expect(source).toContain(
      "replacePart: (thingId, partId, body, params, options) => api.send('POST', path`/odd-things/$" +
        '{thingId}/parts/$' +
        '{partId}`, { body, query: params, takesKey: true }, options)',
    )
    expect(source).toContain(
      '   * Do it\n   *\n   * @param thingId Id of the thing.\n   * @param partId Id of the part.\n',
    )
  })

  it('returns a page if its response is a list or it takes a cursor', () => {
    const list = documentOf({
      [`${store}/odd-things`]: {
        get: { operationId: 'listOddThings', responses: { 200: body({ type: 'array', items: thing }) } },
      },
    })
    expect(renderManagement(list, methodsOf(list).management)).toContain(
      'list(options?: RequestOptions): PagePromise<Thing>',
    )
    const found = { responses: { 200: body({ $ref: '#/components/schemas/ThingsFoundDto' }) } }
    const after = { in: 'query', name: 'after' } as const
    const search = documentOf({
      [`${store}/search`]: { get: { operationId: 'search', parameters: [after], ...found } },
    })
    const source = renderManagement(search, methodsOf(search).management)
    expect(source).toContain('PagePromise<Thing, ThingsFound>')
    expect(source).toContain("api.page('/search', params, options, 'results')")
    const single = documentOf({ [`${store}/search`]: { get: { operationId: 'search', parameters: [after] } } })
    expect(() => methodsOf(single)).toThrow('search is paged, but has no list of items.')
  })

  it('below another path belongs to the storefront', () => {
    const document = documentOf({ '/v1/store/customer': { get: { operationId: 'getThing' } } })
    expect(methodsOf(document).management).toEqual([])
    expect(only(document)).toMatchObject({ name: 'getThing', path: '/store/customer' })
    const source = renderStorefront(document, methodsOf(document).storefront)
    expect(source).toContain('readonly getThing: (options?: RequestOptions) => ResponsePromise<Thing>')
  })

  it('needs a named body', () => {
    const document = documentOf({
      [`${store}/odd-things`]: { post: { operationId: 'createOddThing', requestBody: body({ type: 'object' }) } },
    })
    expect(() => renderManagement(document, methodsOf(document).management)).toThrow('A body has no name')
  })
})

describe('the types', () => {
  it('have the names of the components without Dto, unless another one has that name', () => {
    const document = documentOf({})
    document.components.schemas.Thing = {}
    const declared = new Map([
      ['ThingDto', 'string'],
      ['ThingsFoundDto', '{\n    things: components["schemas"]["ThingDto"][];\n}'],
    ])
    const source = renderTypes(document, declared)
    expect(source).toContain('export type ThingDto = string\n')
    expect(source).toContain('export interface ThingsFound {\n    things: ThingDto[];\n}')
  })

  it('describe fields by the text of a comment, not by a tag, and an intersection is no interface', () => {
    const field = '/**\n     * @description Kind.\n     * @enum {string}\n     */\n    kind: "a";'
    const declared = new Map([
      ['ThingDto', `{\n    ${field}\n}`],
      ['ThingsFoundDto', '{\n    a: 1;\n} & {\n    b: 2;\n}'],
    ])
    const source = renderTypes(documentOf({}), declared)
    expect(source).toContain('export interface Thing {\n    /** Kind. */\n    kind: "a";\n}')
    expect(source).toContain('export type ThingsFound = {\n    a: 1;\n} & {')
  })

  it('include the query of an operation', () => {
    const parameters = [
      { in: 'query' as const, name: 'after', description: 'Cursor.', schema: thing },
      { in: 'query' as const, name: 'kind', required: true, schema: { type: 'string' } },
      { in: 'header' as const, name: 'x-request-id' },
    ]
    const document = documentOf({ [`${store}/odd-things`]: { post: { operationId: 'countThings', parameters } } })
    const queries = queriesOf(methodsOf(document))
    expect(typedDocument(document, queries).components.schemas.OddThingsCountParams).toEqual({
      type: 'object',
      description: 'Parameters of: Do it.',
      properties: { after: { ...thing, description: 'Cursor.' }, kind: { type: 'string' } },
      required: ['kind'],
    })
  })
})
