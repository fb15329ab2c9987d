import { createHash } from 'node:crypto'
import { type DescMethodUnary, type Message, toBinary } from '@bufbuild/protobuf'

/**
 * SHA-256 of the method and the request; independent of the order of map entries. Distinguishes a retry from another use of
 * the same Idempotency-Key.
 */
export function requestHash(method: DescMethodUnary, request: Message): Buffer {
  return createHash('sha256')
    .update(`${method.parent.typeName}/${method.name}\n`)
    .update(toBinary(method.input, sortKeys(request) as Message))
    .digest()
}

/** Returns a copy with sorted keys: protobuf-es serializes fields in the order of their numbers, but map entries in insertion order. */
function sortKeys(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value
  if (Array.isArray(value)) return value.map(sortKeys)
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(entries.map(([name, one]) => [name, sortKeys(one)]))
}
