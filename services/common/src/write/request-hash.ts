import { createHash } from 'node:crypto'
import {
  clone,
  type DescField,
  type DescMessage,
  type DescMethodUnary,
  type Message,
  toBinary,
} from '@bufbuild/protobuf'

/**
 * SHA-256 of the method and the request; independent of the order of map entries. Distinguishes a retry from another use of
 * the same Idempotency-Key.
 */
export function requestHash(method: DescMethodUnary, request: Message): Buffer {
  const canonical = containsMap(method.input) ? withSortedMaps(method.input, request) : request
  return createHash('sha256')
    .update(`${method.parent.typeName}/${method.name}\n`)
    .update(toBinary(method.input, canonical))
    .digest()
}

/** protobuf-es serializes fields in the order of their numbers, but map entries in insertion order. */
function withSortedMaps(schema: DescMessage, message: Message): Message {
  const copy = clone(schema, message)
  sortMaps(schema, copy)
  return copy
}

function sortMaps(schema: DescMessage, message: Message): void {
  const values = message as unknown as Record<string, unknown>
  for (const field of schema.fields) {
    if (!fieldContainsMap(field)) continue
    if (field.oneof) {
      const chosen = values[field.oneof.localName] as { case?: string; value?: unknown } | undefined
      if (chosen?.case === field.localName) sortField(field, chosen.value)
    } else if (field.fieldKind === 'map') {
      const entries = values[field.localName] as Record<string, unknown>
      for (const value of Object.values(entries)) sortField(field, value)
      values[field.localName] = Object.fromEntries(Object.entries(entries).sort(([a], [b]) => (a < b ? -1 : 1)))
    } else {
      sortField(field, values[field.localName])
    }
  }
}

function sortField(field: DescField, value: unknown): void {
  if (value === undefined || field.message === undefined) return
  const { message } = field
  if (Array.isArray(value)) for (const item of value) sortMaps(message, item as Message)
  else sortMaps(message, value as Message)
}

const known = new WeakMap<DescMessage, boolean>()

function containsMap(schema: DescMessage): boolean {
  const cached = known.get(schema)
  if (cached !== undefined) return cached
  // Ends the recursion for recursive types.
  known.set(schema, false)
  const contains = schema.fields.some(fieldContainsMap)
  known.set(schema, contains)
  return contains
}

function fieldContainsMap(field: DescField): boolean {
  return field.fieldKind === 'map' || (field.message !== undefined && containsMap(field.message))
}
