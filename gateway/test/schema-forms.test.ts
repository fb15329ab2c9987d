import { describe, expect, it } from 'vitest'
import { describeApi } from '../src/openapi/document.ts'
import { endpoints } from '../src/routes/index.ts'

type Json = Record<string, unknown>

const text = JSON.stringify(describeApi(endpoints))
const copyOfDocument = (): Document => JSON.parse(text)

interface Document extends Json {
  components: { schemas: Record<string, { properties?: Record<string, Json> }> }
}

/**
 * The schemas that client generators turn into nameless, imprecise or wrong types, each with its JSON path:
 * - an object or enum outside `components` gets an invented name such as `OrderDtoPaymentOneOf1`;
 * - a type that is one of several (except null) and a format inside `anyOf` make some generators drop the operation;
 * - an integer without a format becomes 32 bits wide in some languages and a floating-point number in others;
 * - a `default` in a body makes openapi-typescript require the field.
 */
function awkwardSchemas(document: Document): string[] {
  const found: string[] = []
  visit(document, [])
  return found

  function visit(node: unknown, path: readonly string[]): void {
    if (typeof node !== 'object' || node === null) return
    const problem = problemOf(node as Json, path)
    if (problem) found.push(`${path.join('.')}: ${problem}`)
    for (const [key, child] of Object.entries(node)) {
      if (key !== 'example' && key !== 'examples') visit(child, [...path, key])
    }
  }
}

function problemOf(schema: Json, path: readonly string[]): string | undefined {
  const isComponent = path.length === 3 && path[1] === 'schemas'
  // Part of the component that extends another.
  const isExtension = path.at(-2) === 'allOf'
  const isProperties = path.at(-1) === 'properties'
  if (isProperties) return undefined
  if (schema.properties && !isComponent && !isExtension) return 'object without a name'
  if (schema.enum && !isComponent) return 'enum without a name'
  if (Array.isArray(schema.type) && schema.type.filter((type) => type !== 'null').length > 1) return 'several types'
  if (Array.isArray(schema.anyOf) && !schema.anyOf.some((one) => one.type === 'null')) return 'alternative schemas'
  if (schema.type === 'integer' && !/^int(32|64)$/.test(String(schema.format))) return 'integer without a format'
  if ('default' in schema && path[0] === 'components') return 'default in a body'
  return undefined
}

describe('the schemas of the OpenAPI document', () => {
  it('have a form that client generators turn into named and exact types', () => {
    expect(awkwardSchemas(copyOfDocument())).toEqual([])
  })

  it.each<[string, Json]>([
    ['object without a name', { type: 'object', properties: { id: { type: 'string' } } }],
    ['enum without a name', { type: 'string', enum: ['none', 'fixed'] }],
    ['several types', { type: ['string', 'integer'] }],
    ['alternative schemas', { type: 'string', anyOf: [{ format: 'ipv4' }, { format: 'ipv6' }] }],
    ['integer without a format', { type: 'integer', minimum: 0 }],
    ['default in a body', { type: 'boolean', default: false }],
  ])('are rejected with an %s (negative control)', (problem, schema) => {
    const document = copyOfDocument()
    const { properties } = document.components.schemas.BanDto ?? {}
    if (properties) properties.reason = schema
    expect(awkwardSchemas(document)).toEqual([`components.schemas.BanDto.properties.reason: ${problem}`])
  })

  it.each([
    ['CouponDto', 'CreateCouponDto', 'discount_type'],
    ['CouponDto', 'CreateCouponDto', 'duration'],
    ['AffiliateLinkDto', 'CreateAffiliateLinkDto', 'referer_type'],
    ['AffiliateLinkDto', 'CreateAffiliateLinkDto', 'discount_type'],
    ['AffiliateLinkDto', 'UpdateAffiliateLinkDto', 'referer_type'],
    ['CustomerDto', 'UpsertCustomerRequestDto', 'minecraft_platform'],
    ['ProductDto', 'UpdateProductDto', 'subscription_interval_scale'],
  ])('let a client write back what it read: %s and %s share the type of %s', (read, written, field) => {
    const { schemas } = copyOfDocument().components
    const typeOf = (name: string) => JSON.stringify(schemas[name]?.properties?.[field]).match(/schemas\/\w+/)?.[0]
    expect(typeOf(written)).toBeDefined()
    expect(typeOf(written)).toBe(typeOf(read))
  })

  it('never return null for the profile of a customer', () => {
    const { profile } = copyOfDocument().components.schemas.CustomerDto?.properties ?? {}
    expect(profile).toMatchObject({ $ref: '#/components/schemas/CustomerProfileDto' })
  })
})
