import fc from 'fast-check'
import type { JsonSchema } from '../published-contract.ts'
import { idHole } from './id-hole.ts'
import { isId, type SchemaArbitrary } from './schema-arbitrary.ts'

/**
 * Bodies from the schema alone, or like the example of the description: close to it, or with few members, or with many
 * that are others. Alone, neither would get far: a schema does not say what belongs together, an example is only one.
 */
export function bodiesOf(
  { schema, example }: { schema: JsonSchema; example?: unknown },
  schemas: SchemaArbitrary,
): fc.Arbitrary<unknown> {
  const made = schemas.valuesOf(schema)
  if (example === undefined) return made
  return fc.oneof(made, ...manners.map((manner) => like(example, schema, '', { schemas, ...manner })))
}

/** How often a member of the example stays, is replaced, and is left out; one that it lacks is never kept. */
const manners = [
  { kept: 20, other: 1, gone: 2 },
  { kept: 5, other: 1, gone: 20 },
  { kept: 4, other: 3, gone: 3 },
]

function like(example: unknown, schema: JsonSchema, name: string, manner: Manner): fc.Arbitrary<unknown> {
  if (isId(schema)) return idHole(name)
  const { schemas } = manner
  const { properties = {}, required = [], items = {}, anyOf = [] } = schemas.resolve(schema)
  const [only] = anyOf.filter(({ type }) => type !== 'null')
  if (only) return like(example, only, name, manner)
  if (Array.isArray(example)) return fc.tuple(...example.map((item) => like(item, items, name, manner)))
  if (typeof example !== 'object' || example === null) return fc.constant(example)
  const names = [...new Set([...Object.keys(example), ...Object.keys(properties)])]
  const members = names.map((member) => {
    const own = properties[member] ?? {}
    const isGiven = Object.hasOwn(example, member)
    const kept = isGiven ? like(example[member as never], own, member, manner) : fc.constant(absent)
    return [
      member,
      fc.oneof(
        { weight: manner.kept, arbitrary: kept },
        { weight: manner.other, arbitrary: schemas.valuesOf(own, member) },
        { weight: required.includes(member) ? 0 : manner.gone, arbitrary: fc.constant(absent) },
      ),
    ] as const
  })
  return fc.record(Object.fromEntries(members)).map((record) => {
    const there = Object.entries(record as Record<string, unknown>).filter(([, value]) => value !== absent)
    return Object.fromEntries(there)
  })
}

const absent = Symbol('absent')

interface Manner {
  schemas: SchemaArbitrary
  kept: number
  other: number
  gone: number
}
