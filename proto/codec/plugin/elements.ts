import { type DescField, type DescMessage, ScalarType } from '@bufbuild/protobuf'
import { Edition } from '@bufbuild/protobuf/wkt'

/** How a value is read and written: the method of BinaryReader and BinaryWriter, and what else the generator needs to know. */
export interface Element {
  /** The method of both classes; undefined for a message. */
  method?: 'string' | 'bytes' | 'bool' | 'uint32' | 'int32' | 'uint64' | 'int64' | 'fixed32' | 'fixed64' | 'sfixed64'
  message?: DescMessage
  wireType: 0 | 1 | 2 | 5
  /** The value of an absent field, as source text; undefined for a message. */
  zero: string
  isEnum?: boolean
  /** A 64-bit number that is a string in TypeScript. */
  isText?: boolean
}

/** The element of a singular field, of the items of a list, or of the values of a map; undefined if it is not supported. */
export function elementOf(field: DescField): Element | undefined {
  if (field.message)
    return 'delimitedEncoding' in field && field.delimitedEncoding ? undefined : messageElement(field.message)
  if (field.enum) return field.enum.open ? { method: 'int32', wireType: 0, zero: '0', isEnum: true } : undefined
  const element = scalars.get(field.scalar)
  const isText = 'longAsString' in field && field.longAsString
  if (!element || (isText && field.fieldKind !== 'scalar')) return undefined
  return isText ? { ...element, zero: '"0"', isText } : element
}

/** False for a message with a field that the generated code does not support, at any depth, and for a recursive one. */
export function isSupported(message: DescMessage, outer: readonly DescMessage[] = []): boolean {
  if (message.file.edition !== Edition.EDITION_PROTO3 || outer.includes(message) || usesOtherShape(message))
    return false
  return message.fields.every((field) => {
    const element = elementOf(field)
    if (!element) return false
    if (field.fieldKind === 'list' && element.wireType !== 2 && !(field.packed && packable.has(element.method)))
      return false
    if (field.fieldKind === 'map' && (field.mapKey !== ScalarType.STRING || element.method !== 'string')) return false
    return !element.message || isSupported(element.message, [...outer, message])
  })
}

/** The field number and wire type; for a packed list, the list's wire type. */
export function tagOf(field: DescField, { wireType }: Element): number {
  const isBlock = field.fieldKind === 'list' || field.fieldKind === 'map'
  return (field.number << 3) | (isBlock ? 2 : wireType)
}

const packable: ReadonlySet<string | undefined> = new Set(['uint32', 'int32', 'uint64', 'int64'])

/** protobuf-es represents fields of these types by other values. */
function usesOtherShape({ typeName }: DescMessage): boolean {
  return /^google\.protobuf\.(Struct|\w+Value|Any)$/.test(typeName)
}

function messageElement(message: DescMessage): Element {
  return { message, wireType: 2, zero: 'undefined' }
}

const scalars: ReadonlyMap<ScalarType, Element> = new Map([
  [ScalarType.STRING, { method: 'string', wireType: 2, zero: '""' }],
  [ScalarType.BYTES, { method: 'bytes', wireType: 2, zero: 'new Uint8Array(0)' }],
  [ScalarType.BOOL, { method: 'bool', wireType: 0, zero: 'false' }],
  [ScalarType.UINT32, { method: 'uint32', wireType: 0, zero: '0' }],
  [ScalarType.INT32, { method: 'int32', wireType: 0, zero: '0' }],
  [ScalarType.UINT64, { method: 'uint64', wireType: 0, zero: '0n' }],
  [ScalarType.INT64, { method: 'int64', wireType: 0, zero: '0n' }],
  [ScalarType.FIXED32, { method: 'fixed32', wireType: 5, zero: '0' }],
  [ScalarType.FIXED64, { method: 'fixed64', wireType: 1, zero: '0n' }],
  [ScalarType.SFIXED64, { method: 'sfixed64', wireType: 1, zero: '0n' }],
])
