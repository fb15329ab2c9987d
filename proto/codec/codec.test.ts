import { globSync } from 'node:fs'
import {
  create,
  type DescField,
  type DescMessage,
  fromBinary,
  type Message,
  type MessageInitShape,
  ScalarType,
  toBinary,
} from '@bufbuild/protobuf'
import { BinaryReader, BinaryWriter } from '@bufbuild/protobuf/wire'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Codec, codecOf, decode, encode, unsupported } from './index.ts'

describe('the codecs behave as protobuf-es', () => {
  let schemas: DescMessage[]

  beforeAll(async () => {
    const folder = new URL('../gen/storekeep/', import.meta.url)
    const modules = await Promise.all(
      globSync('**/*_codec.ts', { cwd: folder }).map((file) => import(`${folder}${file}`)),
    )
    schemas = modules.flatMap((exports: Record<string, unknown>) => Object.values(exports)).filter(isMessageSchema)
  })

  /** Runs the property for random values of every message. */
  function forEveryMessage(property: (schema: DescMessage, init: Fields) => void, numRuns = 4): void {
    for (const schema of schemas) {
      fc.assert(
        fc.property(fieldsOf(schema, 2), (init) => property(schema, init)),
        { numRuns },
      )
    }
  }

  it('for every message of proto/: all have a codec', () => {
    expect(schemas.length).toBeGreaterThan(150)
    expect(schemas.filter((schema) => !codecOf(schema)).map(({ typeName }) => typeName)).toEqual([])
  })

  it('write the same bytes, from messages and from plain objects', () => {
    forEveryMessage((schema, init) => {
      const message = create(schema, init as MessageInitShape<typeof schema>)
      const expected = Buffer.from(toBinary(schema, message))
      expect(encode(schema, init)).toEqual(expected)
      expect(encode(schema, message as MessageInitShape<typeof schema>)).toEqual(expected)
    })
  })

  it('read the same message', () => {
    forEveryMessage((schema, init) => {
      const bytes = bytesOf(schema, init)
      expect(decode(schema, bytes)).toStrictEqual(fromBinary(schema, bytes))
    })
  })

  it('without the help of protobuf-es, except for the map key __proto__', () => {
    forEveryMessage((schema, init) => {
      const { write, read } = codecOf(schema) as Codec
      const bytes = bytesOf(schema, init)
      const writer = new BinaryWriter()
      write(writer, init as never)
      expect(Buffer.from(writer.finish())).toEqual(bytes)
      const attempt = () => read(new BinaryReader(bytes), bytes.length)
      if (hasProto(schema, fromBinary(schema, bytes))) expect(attempt).toThrow(unsupported)
      else expect(attempt()).toStrictEqual(fromBinary(schema, bytes))
    })
  })

  it('for bytes that are cut off, changed or repeated: the same message or the same error', () => {
    let rejected = 0
    let accepted = 0
    forEveryMessage((schema, init) => {
      const bytes = bytesOf(schema, init)
      for (const broken of damaged(bytes)) {
        // Compared as bytes, which is faster. The same bytes are the same message, unknown fields included.
        const expected = outcome(() => toBinary(schema, fromBinary(schema, broken)))
        const actual = outcome(() => toBinary(schema, decode(schema, broken)))
        if ('value' in expected && 'value' in actual) expect(Buffer.compare(actual.value, expected.value)).toBe(0)
        else expect(actual).toEqual(expected)
        if ('error' in expected) rejected += 1
        else accepted += 1
      }
    }, 2)
    expect(Math.min(rejected, accepted)).toBeGreaterThan(1000)
  })

  it('for fields of a newer version: kept and written again', () => {
    const newer = Buffer.from([...varint((2000 << 3) | 2), 3, 1, 2, 3])
    forEveryMessage((schema, init) => {
      const bytes = Buffer.concat([bytesOf(schema, init), newer])
      const message = decode(schema, bytes)
      expect(message.$unknown).toHaveLength(1)
      expect(message).toStrictEqual(fromBinary(schema, bytes))
      expect(encode(schema, message as MessageInitShape<typeof schema>)).toEqual(bytes)
    }, 2)
  })

  it.each([
    { scalar: ScalarType.STRING, values: ['a\ud800', '\ufeffa', 'ü'.repeat(100), 'a'.repeat(20_000), '\ufffd', 7] },
    { scalar: ScalarType.UINT32, values: [-1, 2 ** 32, 0.5, Number.NaN, '1'] },
    { scalar: ScalarType.INT32, values: [-1, -(2 ** 31), 2 ** 31, 0.5, Number.NaN] },
    { scalar: ScalarType.INT64, values: [-1n, 2n ** 63n, -(2n ** 63n), 2n ** 63n - 1n, 2n ** 53n] },
    { scalar: ScalarType.UINT64, values: [-1n, 2n ** 64n, 2n ** 64n - 1n, 5] },
  ])('for edge cases and values of another type ($scalar)', ({ scalar, values }) => {
    const fields = schemas.flatMap((schema) => schema.fields).filter((one) => one.fieldKind === 'scalar' && !one.oneof)
    for (const field of fields.filter((one) => one.scalar === scalar)) {
      for (const value of values) {
        const init = { [field.localName]: value }
        const expected = outcome(() => bytesOf(field.parent, init))
        expect(outcome(() => encode(field.parent, init))).toEqual(expected)
        if ('value' in expected) {
          const bytes = expected.value as Buffer
          expect(decode(field.parent, bytes)).toStrictEqual(fromBinary(field.parent, bytes))
        }
      }
    }
  })
})

type Fields = Record<string, unknown>

function isMessageSchema(value: unknown): value is DescMessage {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'message'
}

function bytesOf(schema: DescMessage, init: Fields): Buffer {
  return Buffer.from(toBinary(schema, create(schema, init as MessageInitShape<typeof schema>)))
}

function outcome<T>(run: () => T): { value: T } | { error: string } {
  try {
    return { value: run() }
  } catch (error) {
    return { error: String(error) }
  }
}

/** Random fields, any of them absent. */
function fieldsOf(schema: DescMessage, depth: number): fc.Arbitrary<Fields> {
  const members = schema.members.map((member): [string, fc.Arbitrary<unknown>] => {
    if (member.kind === 'field') return [member.localName, fieldOf(member, depth)]
    const cases = member.fields.map((field) =>
      fc.record({ case: fc.constant(field.localName), value: fieldOf(field, depth) }),
    )
    return [member.localName, fc.oneof(fc.constant({ case: undefined }), ...cases)]
  })
  return fc.record(Object.fromEntries(members), { requiredKeys: [] })
}

function fieldOf(field: DescField, depth: number): fc.Arbitrary<unknown> {
  if (field.fieldKind === 'list') return fc.array(elementOf(field, depth), { maxLength: 3 })
  if (field.fieldKind === 'map') return fc.dictionary(fc.oneof(text, fc.constant('__proto__')), text, { maxKeys: 3 })
  return elementOf(field, depth)
}

function elementOf(field: DescField, depth: number): fc.Arbitrary<unknown> {
  if (field.message) return depth === 0 ? fc.constant({}) : fieldsOf(field.message, depth - 1)
  if (field.enum) return fc.oneof(fc.integer({ min: 0, max: 12 }), int32)
  const scalar = scalars[field.scalar as keyof typeof scalars]
  return 'longAsString' in field && field.longAsString ? scalar.map(String) : scalar
}

const text = fc.oneof(
  fc.string({ maxLength: 24 }),
  fc.string({ unit: 'binary', maxLength: 8 }),
  fc.string({ minLength: 60, maxLength: 200 }),
)
const int32 = fc.oneof(fc.integer({ min: 0, max: 300 }), fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }))
const uint32 = fc.oneof(fc.integer({ min: 0, max: 300 }), fc.integer({ min: 0, max: 2 ** 32 - 1 }))
const uint64 = fc.oneof(fc.bigInt(0n, 3000n), fc.bigInt(0n, 2n ** 64n - 1n))
const int64 = fc.oneof(fc.bigInt(0n, 3000n), fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n))
const scalars = {
  [ScalarType.STRING]: text,
  [ScalarType.BYTES]: fc.uint8Array({ maxLength: 200 }),
  [ScalarType.BOOL]: fc.boolean(),
  [ScalarType.INT32]: int32,
  [ScalarType.UINT32]: uint32,
  [ScalarType.FIXED32]: uint32,
  [ScalarType.INT64]: int64,
  [ScalarType.SFIXED64]: int64,
  [ScalarType.UINT64]: uint64,
  [ScalarType.FIXED64]: uint64,
} satisfies Partial<Record<ScalarType, fc.Arbitrary<unknown>>>

function hasProto(schema: DescMessage, message: Message): boolean {
  const fields = message as unknown as Fields
  return schema.fields.some((field) => {
    const oneof = field.oneof && (fields[field.oneof.localName] as { case: string | undefined; value: unknown })
    const value = oneof ? (oneof.case === field.localName ? oneof.value : undefined) : fields[field.localName]
    if (value === undefined) return false
    if (field.fieldKind === 'map') return Object.hasOwn(value as object, '__proto__')
    const items = field.fieldKind === 'list' ? (value as unknown[]) : [value]
    return field.message !== undefined && items.some((item) => hasProto(field.message, item as Message))
  })
}

/** Every prefix, each byte changed, each byte doubled, and the message twice; a sample of these for a long message. */
function* damaged(bytes: Buffer): Iterable<Buffer> {
  const step = Math.max(1, Math.floor(bytes.length / 8))
  for (let at = 0; at < bytes.length; at += step) {
    yield bytes.subarray(0, at)
    for (const value of [0, 0x0f, 0x7f, 0x80, 0xff, (bytes[at] ?? 0) ^ 1, (bytes[at] ?? 0) ^ 0x10]) {
      const changed = Buffer.from(bytes)
      changed[at] = value
      yield changed
    }
    yield Buffer.concat([bytes.subarray(0, at + 1), bytes.subarray(at)])
  }
  yield Buffer.concat([bytes, bytes])
}

function varint(value: number): number[] {
  return value < 128 ? [value] : [(value & 127) | 128, ...varint(value >>> 7)]
}
