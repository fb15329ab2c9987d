import fc from 'fast-check'
import type { JsonSchema } from '../published-contract.ts'
import { idHole } from './id-hole.ts'
import { isId, type SchemaArbitrary } from './schema-arbitrary.ts'

/**
 * Bodies from the schema alone, or variations of the documented example: close to it, with few fields, or with many fields
 * replaced. Neither is enough alone: a schema does not say which values fit together, and an example is only one body.
 */
export function bodiesOf(
  { schema, example }: { schema: JsonSchema; example?: unknown },
  schemas: SchemaArbitrary,
): fc.Arbitrary<unknown> {
  const fromSchema = schemas.valuesOf(schema)
  if (example === undefined) return fromSchema
  return fc.oneof(fromSchema, ...variations.map((weights) => vary(example, schema, '', { schemas, ...weights })))
}

/** The weights of keeping, replacing and omitting a field of the example. */
const variations = [
  { keep: 20, replace: 1, omit: 2 },
  { keep: 5, replace: 1, omit: 20 },
  { keep: 4, replace: 3, omit: 3 },
]

function vary(example: unknown, schema: JsonSchema, name: string, variation: Variation): fc.Arbitrary<unknown> {
  if (isId(schema)) return idHole(name)
  const { schemas } = variation
  const { properties = {}, required = [], items = {}, anyOf = [] } = schemas.resolve(schema)
  const [only] = anyOf.filter(({ type }) => type !== 'null')
  if (only) return vary(example, only, name, variation)
  if (Array.isArray(example)) return fc.tuple(...example.map((item) => vary(item, items, name, variation)))
  if (typeof example !== 'object' || example === null) return fc.constant(example)
  const names = [...new Set([...Object.keys(example), ...Object.keys(properties)])]
  const fields = names.map((field) => {
    const own = properties[field] ?? {}
    const isGiven = Object.hasOwn(example, field)
    const kept = isGiven ? vary(example[field as never], own, field, variation) : fc.constant(absent)
    return [
      field,
      fc.oneof(
        { weight: variation.keep, arbitrary: kept },
        { weight: variation.replace, arbitrary: schemas.valuesOf(own, field) },
        { weight: required.includes(field) ? 0 : variation.omit, arbitrary: fc.constant(absent) },
      ),
    ] as const
  })
  return fc.record(Object.fromEntries(fields)).map((record) => {
    const present = Object.entries(record as Record<string, unknown>).filter(([, value]) => value !== absent)
    return Object.fromEntries(present)
  })
}

const absent = Symbol('absent')

interface Variation {
  schemas: SchemaArbitrary
  keep: number
  replace: number
  omit: number
}
