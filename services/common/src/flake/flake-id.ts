import { errors, violation } from '../errors/index.ts'

/**
 * Flake ids (contract section A): signed 64-bit snowflakes, always decimal strings in JavaScript. This is the only
 * module that computes with them; everywhere else they are compared for equality and passed on.
 */

/** True for the text of a flake id: a decimal from 1 to 2^63 - 1 without leading zeros. */
export function isFlakeId(text: string): boolean {
  if (!flakePattern.test(text)) return false
  return text.length < largest.length || text <= largest
}

/** @throws ServiceFault `validation-failed` naming `path` when `id` is not the text of a flake id */
export function requireFlakeId(path: string, id: string): string {
  if (id === '') throw errors.validationFailed([violation(path, 'required', 'is required')])
  if (!isFlakeId(id)) throw errors.validationFailed([violation(path, 'format', 'must be an id')])
  return id
}

/** The 8 bytes of a flake id, high byte first. @throws RangeError when `id` is not one */
export function flakeIdToBytes(id: string): Buffer {
  if (!isFlakeId(id)) throw new RangeError('not a flake id')
  const bytes = Buffer.alloc(8)
  bytes.writeBigInt64BE(BigInt(id))
  return bytes
}

/** The flake id in 8 bytes, high byte first; undefined when they hold none. */
export function flakeIdFromBytes(bytes: Uint8Array): string | undefined {
  if (bytes.length !== 8) return undefined
  const id = Buffer.from(bytes.buffer, bytes.byteOffset, 8).readBigInt64BE()
  return id > 0n ? id.toString() : undefined
}

const flakePattern = /^[1-9][0-9]{0,18}$/
const largest = '9223372036854775807'
