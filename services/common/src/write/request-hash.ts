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
 * SHA-256 over the method and the request: equal for equal requests, whatever the order in which the members of
 * their maps arrived. Tells a retry from another use of the same Idempotency-Key.
 */
export function requestHash(method: DescMethodUnary, request: Message): Buffer {
  const canonical = holdsMap(method.input) ? withSortedMaps(method.input, request) : request
  return createHash('sha256')
    .update(`${method.parent.typeName}/${method.name}\n`)
    .update(toBinary(method.input, canonical))
    .digest()
}

/** protobuf-es writes fields in the order of their numbers, but map entries in the order of insertion. */
function withSortedMaps(schema: DescMessage, message: Message): Message {
  const copy = clone(schema, message)
  sortMaps(schema, copy)
  return copy
}

function sortMaps(schema: DescMessage, message: Message): void {
  const members = message as unknown as Record<string, unknown>
  for (const field of schema.fields) {
    if (!fieldHoldsMap(field)) continue
    if (field.oneof) {
      const chosen = members[field.oneof.localName] as { case?: string; value?: unknown } | undefined
      if (chosen?.case === field.localName) sortField(field, chosen.value)
    } else if (field.fieldKind === 'map') {
      const entries = members[field.localName] as Record<string, unknown>
      for (const value of Object.values(entries)) sortField(field, value)
      members[field.localName] = Object.fromEntries(Object.entries(entries).sort(([a], [b]) => (a < b ? -1 : 1)))
    } else {
      sortField(field, members[field.localName])
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

function holdsMap(schema: DescMessage): boolean {
  const answer = known.get(schema)
  if (answer !== undefined) return answer
  // While a recursive type is being looked at, its own fields add nothing new.
  known.set(schema, false)
  const holds = schema.fields.some(fieldHoldsMap)
  known.set(schema, holds)
  return holds
}

function fieldHoldsMap(field: DescField): boolean {
  return field.fieldKind === 'map' || (field.message !== undefined && holdsMap(field.message))
}
