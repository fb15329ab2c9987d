import fc from 'fast-check'
import type { JsonSchema } from '../published-contract.ts'
import { idHole } from './id-hole.ts'

/**
 * Values that match a schema of the OpenAPI document. Ids are placeholders (see `idHole`), because the existing ids are only
 * known when the request is sent. Rules that a schema cannot express are ignored.
 */
export function createSchemaArbitrary(schemas: Record<string, JsonSchema>): SchemaArbitrary {
  function valuesOf(schema: JsonSchema, name = ''): fc.Arbitrary<unknown> {
    if (isId(schema)) return idHole(name)
    const { $ref, anyOf, oneOf, allOf, ...beside } = schema
    const { type, enum: allowed, const: only } = beside
    if ($ref !== undefined) return valuesOf(withoutReference(schema), name)
    if (only !== undefined) return fc.constant(only)
    if (allowed) return fc.constantFrom(...allowed)
    const choices = anyOf ?? oneOf
    // The keywords beside anyOf and oneOf apply to each choice.
    if (choices) return fc.oneof(...choices.map((choice) => valuesOf({ ...beside, ...choice }, name)))
    if (allOf) return fc.tuple(...allOf.map((part) => valuesOf(part, name))).map((parts) => Object.assign({}, ...parts))
    if (Array.isArray(type)) return fc.oneof(...type.map((one) => valuesOf({ ...schema, type: one }, name)))
    switch (type) {
      case 'string':
        return stringsOf(schema)
      case 'integer':
      case 'number':
        return numbersOf(schema)
      case 'boolean':
        return fc.boolean()
      case 'null':
        return fc.constant(null)
      case 'array':
        return arraysOf(schema, name)
      case 'object':
        return objectsOf(schema)
      default:
        return fc.jsonValue({ maxDepth: 2 })
    }
  }

  function objectsOf({ properties, required = [], additionalProperties, ...rest }: JsonSchema): fc.Arbitrary<unknown> {
    if (!properties) {
      const { propertyNames = {}, maxProperties = 5 } = rest
      const values = typeof additionalProperties === 'object' ? valuesOf(additionalProperties) : fc.string()
      return fc.dictionary(stringsOf(propertyNames), values, { maxKeys: Math.min(maxProperties, 5) })
    }
    const fields = Object.entries(properties).map(([name, schema]) => {
      const values = valuesOf(schema, name)
      return [name, required.includes(name) ? values : fc.option(values, { nil: absent })] as const
    })
    return fc.record(Object.fromEntries(fields)).map(withoutAbsent)
  }

  function arraysOf({ items = {}, minItems = 0, maxItems = 100 }: JsonSchema, name: string): fc.Arbitrary<unknown> {
    return fc.array(valuesOf(items, name), { minLength: minItems, maxLength: Math.min(maxItems, minItems + 4) })
  }

  /** The referenced schema, merged with the keywords beside the reference. */
  function withoutReference({ $ref = '', ...beside }: JsonSchema): JsonSchema {
    const found = schemas[$ref.slice(prefix.length)]
    if (!found) throw new Error(`The OpenAPI document has no schema ${$ref}.`)
    return { ...found, ...beside }
  }

  return { valuesOf, resolve: (schema) => (schema.$ref === undefined ? schema : withoutReference(schema)) }
}

export function isId({ $ref }: JsonSchema): boolean {
  return $ref === `${prefix}FlakeId`
}

export interface SchemaArbitrary {
  /** @param name of the field or parameter that the value is for */
  valuesOf(schema: JsonSchema, name?: string): fc.Arbitrary<unknown>
  /** The referenced schema if it is a reference. */
  resolve(schema: JsonSchema): JsonSchema
}

const prefix = '#/components/schemas/'
const absent = Symbol('absent')

function withoutAbsent(object: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== absent))
}

function stringsOf({ format, pattern, minLength = 0, maxLength = 1000, example }: JsonSchema): fc.Arbitrary<string> {
  const known = formats[format ?? '']
  if (known) return known
  if (pattern !== undefined) return matching(pattern).filter((text) => text.length <= maxLength)
  const usual = fc.string({ unit: 'grapheme-ascii', minLength, maxLength: Math.min(maxLength, minLength + 20) })
  return fc
    .oneof(
      { weight: 5, arbitrary: usual },
      {
        weight: 2,
        arbitrary: fc.string({ unit: 'grapheme', minLength, maxLength: Math.min(maxLength, minLength + 8) }),
      },
      { weight: 1, arbitrary: fc.constantFrom('x'.repeat(minLength), '🦊'.repeat(maxLength)) },
      ...(typeof example === 'string' ? [{ weight: 5, arbitrary: fc.constant(example) }] : []),
    )
    .filter((text) => text.isWellFormed() && !text.includes('\0') && countCharacters(text) <= maxLength)
}

/** fast-check does not support back-references: the group is generated twice, and the filter keeps equal ones. */
function matching(pattern: string): fc.Arbitrary<string> {
  const exact = new RegExp(pattern, 'u')
  const group = /\(([^()]*)\)/.exec(pattern)?.[1] ?? ''
  // Back-references and lookaheads cannot be generated, so they are only enforced by the filter.
  const loose = pattern.replaceAll('\\1', group).replaceAll(/\(\?![^()]*\)/g, '')
  const texts = fc.stringMatching(new RegExp(loose, 'u'))
  return loose === pattern ? texts : texts.filter((text) => exact.test(text))
}

/** Most times are in the future, since most fields are the end of a period. */
const formats: Record<string, fc.Arbitrary<string>> = {
  'date-time': fc
    .date({ min: new Date('2024-01-01T00:00:00Z'), max: new Date('2090-01-01T00:00:00Z'), noInvalidDate: true })
    .map((date) => date.toISOString()),
  duration: fc.constantFrom('PT1M', 'PT90S', 'PT1H', 'PT1H30M', 'P1D', 'P7D'),
  ipv4: fc.ipV4(),
  ipv6: fc.ipV6(),
  uri: fc.webUrl({ validSchemes: ['https', 'http'] }),
}

function numbersOf({ type, minimum, maximum, format }: JsonSchema): fc.Arbitrary<number> {
  const largest = format === 'int32' ? 2 ** 31 - 1 : Number.MAX_SAFE_INTEGER
  const [min, max] = [minimum ?? -largest, maximum ?? largest]
  if (type === 'number') return fc.double({ min, max, noNaN: true })
  const low = Math.max(min, Math.min(0, max))
  return fc.oneof(
    { weight: 4, arbitrary: fc.integer({ min: low, max: Math.min(max, low + 100) }) },
    { weight: 1, arbitrary: fc.maxSafeInteger().map((n) => Math.min(max, Math.max(min, n))) },
    { weight: 1, arbitrary: fc.constantFrom(min, max) },
  )
}

function countCharacters(text: string): number {
  return [...text].length
}
