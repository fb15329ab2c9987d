/**
 * Flake ids (contract section A) are signed 64-bit snowflake ids, always decimal strings in JavaScript. All other modules
 * only compare them for equality and pass them on.
 */

/** Whether `text` is a decimal number from 1 to 2^63 - 1 without leading zeros. */
export function isFlakeId(text: string): boolean {
  return shape.test(text) && (text.length < largest.length || text <= largest)
}

const shape = /^[1-9][0-9]{0,18}$/
const largest = '9223372036854775807'

/** Encodes a flake id as 8 bytes, big-endian. @throws RangeError if `id` is not a flake id */
export function flakeIdToBytes(id: string): Buffer {
  if (!isFlakeId(id)) throw new RangeError('not a flake id')
  const bytes = Buffer.alloc(8)
  bytes.writeBigInt64BE(BigInt(id))
  return bytes
}

/** Decodes a flake id from 8 bytes, big-endian; undefined if they contain none. */
export function flakeIdFromBytes(bytes: Uint8Array): string | undefined {
  if (bytes.length !== 8) return undefined
  const id = Buffer.from(bytes.buffer, bytes.byteOffset, 8).readBigInt64BE()
  return id > 0n ? id.toString() : undefined
}

/**
 * The cell of a record or store: bits 16 to 21 of its id, since the node number of an id is cell x 16 + service (decision 0039).
 * Needs no BigInt: the guard of every process computes it for each call. Each step keeps the low 32 bits.
 *
 * @param id a flake id; for any other text, the result is meaningless
 */
export function cellOf(id: string): number {
  let lowBits = 0
  for (let index = 0; index < id.length; index += 1) lowBits = Math.imul(lowBits, 10) + id.charCodeAt(index) - zero
  return (lowBits >>> 16) & maxCell
}

/** The node number of the ids that a service creates in a cell. @throws RangeError if there is no such node */
export function nodeNumberOf(cell: number, service: number): number {
  if (!Number.isInteger(cell) || cell < 0 || cell > maxCell)
    throw new RangeError(`The cell must be from 0 to ${maxCell}.`)
  if (!Number.isInteger(service) || service < 0 || service >= servicesPerCell)
    throw new RangeError(`The number of a service must be from 0 to ${servicesPerCell - 1}.`)
  return cell * servicesPerCell + service
}

/** Cells are numbered from 0. */
export const maxCell = 63
const servicesPerCell = 16
const zero = '0'.charCodeAt(0)

/** The smallest id that can be created at this time, for ranges of ids; `0` or the largest id if there is none. */
export function firstFlakeIdOf(time: Date): string {
  const id = BigInt(time.getTime() - epochMs) << 22n
  if (id < 0n) return '0'
  return String(id < largestFlakeId ? id : largestFlakeId)
}

/** 2022-02-22T22:22:22Z. */
const epochMs = 1_645_568_542_000
const largestFlakeId = 2n ** 63n - 1n
