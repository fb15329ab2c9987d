import { unsupported } from './unsupported.ts'
import { keyTag, valueTag } from './wire-reader.ts'

/**
 * Writes the protobuf wire format for generated codecs, with the same bytes as protobuf-es. Throws `unsupported` for values
 * that do not have the type of their field. `tag` is the encoded tag, of up to two bytes.
 */
export class WireWriter {
  #bytes = Buffer.allocUnsafeSlow(initialBytes)
  #pos = 0

  /** Starts a message. What was written before is lost. */
  open(): void {
    this.#pos = 0
  }

  /** Copies the message, and keeps the buffer for the next one unless it has grown large. */
  finish(): Buffer {
    const message = Buffer.allocUnsafe(this.#pos)
    this.#bytes.copy(message, 0, 0, this.#pos)
    if (this.#bytes.length > maxKeptBytes) this.#bytes = Buffer.allocUnsafeSlow(initialBytes)
    return message
  }

  string(tag: number, value: string): void {
    if (typeof value !== 'string') throw unsupported
    const { length } = value
    this.#reserve(tagBytes + 5 + 3 * length)
    this.#tag(tag)
    if (length > maxShortText || !this.#ascii(value, length)) this.#utf8(value)
  }

  bytes(tag: number, value: Uint8Array): void {
    if (!(value instanceof Uint8Array)) throw unsupported
    this.#reserve(tagBytes + 5 + value.length)
    this.#tag(tag)
    this.#varint(value.length)
    this.#bytes.set(value, this.#pos)
    this.#pos += value.length
  }

  bool(tag: number, value: boolean): void {
    if (typeof value !== 'boolean') throw unsupported
    this.#reserve(tagBytes + 1)
    this.#tag(tag)
    this.#bytes[this.#pos] = value ? 1 : 0
    this.#pos += 1
  }

  uint32(tag: number, value: number): void {
    if (value >>> 0 !== value) throw unsupported
    this.#reserve(tagBytes + 5)
    this.#tag(tag)
    this.#varint(value)
  }

  /** A signed number or an enum value. Negative ones are unsupported. */
  int32(tag: number, value: number): void {
    if ((value | 0) !== value || value < 0) throw unsupported
    this.#reserve(tagBytes + 5)
    this.#tag(tag)
    this.#varint(value)
  }

  int64(tag: number, value: bigint): void {
    this.#reserve(tagBytes + 10)
    this.#tag(tag)
    this.#int64(value)
  }

  uint64(tag: number, value: bigint): void {
    this.#reserve(tagBytes + 10)
    this.#tag(tag)
    this.#uint64(value)
  }

  fixed32(tag: number, value: number): void {
    if (value >>> 0 !== value) throw unsupported
    this.#reserve(tagBytes + 4)
    this.#tag(tag)
    this.#pos = this.#bytes.writeUInt32LE(value, this.#pos)
  }

  fixed64(tag: number, value: bigint): void {
    if (typeof value !== 'bigint' || BigInt.asUintN(64, value) !== value) throw unsupported
    this.#reserve(tagBytes + 8)
    this.#tag(tag)
    this.#pos = this.#bytes.writeBigUInt64LE(value, this.#pos)
  }

  sfixed64(tag: number, value: bigint): void {
    if (typeof value !== 'bigint' || BigInt.asIntN(64, value) !== value) throw unsupported
    this.#reserve(tagBytes + 8)
    this.#tag(tag)
    this.#pos = this.#bytes.writeBigInt64LE(value, this.#pos)
  }

  /** Writes the entries of a map of strings. `tag` is that of the map. */
  textEntries(tag: number, map: Readonly<Record<string, string>>): void {
    for (const [key, value] of Object.entries(map)) {
      const start = this.begin(tag)
      this.string(keyTag, key)
      this.string(valueTag, value)
      this.end(start)
    }
  }

  /** The next value of a packed list. */
  packedUint32(value: number): void {
    if (value >>> 0 !== value) throw unsupported
    this.#reserve(5)
    this.#varint(value)
  }

  packedInt32(value: number): void {
    if ((value | 0) !== value || value < 0) throw unsupported
    this.#reserve(5)
    this.#varint(value)
  }

  packedInt64(value: bigint): void {
    this.#reserve(10)
    this.#int64(value)
  }

  packedUint64(value: bigint): void {
    this.#reserve(10)
    this.#uint64(value)
  }

  /** Begins a nested message, map entry or packed list. Pass the result to `end`. */
  begin(tag: number): number {
    this.#reserve(tagBytes + 1)
    this.#tag(tag)
    this.#pos += 1
    return this.#pos
  }

  end(start: number): void {
    const length = this.#pos - start
    // `begin` left one byte for the length.
    if (length < 128) this.#bytes[start - 1] = length
    else this.#endLong(start, length)
  }

  #endLong(start: number, length: number): void {
    const more = length < 1 << 14 ? 1 : length < 1 << 21 ? 2 : length < 1 << 28 ? 3 : 4
    this.#reserve(more)
    this.#bytes.copyWithin(start + more, start, this.#pos)
    this.#pos = start - 1
    this.#varint(length)
    this.#pos += length
  }

  #tag(tag: number): void {
    if (tag < 128) {
      this.#bytes[this.#pos] = tag
      this.#pos += 1
    } else {
      this.#bytes[this.#pos] = (tag & 127) | 128
      this.#bytes[this.#pos + 1] = tag >> 7
      this.#pos += 2
    }
  }

  #varint(value: number): void {
    const bytes = this.#bytes
    let at = this.#pos
    let rest = value
    while (rest > 127) {
      bytes[at] = (rest & 127) | 128
      at += 1
      rest >>>= 7
    }
    bytes[at] = rest
    this.#pos = at + 1
  }

  #int64(value: bigint): void {
    if (typeof value !== 'bigint') throw unsupported
    const number = Number(value)
    if (number >= 0 && number < 2 ** 32) this.#varint(number)
    else if (BigInt.asIntN(64, value) === value) this.#words(value)
    else throw unsupported
  }

  #uint64(value: bigint): void {
    if (typeof value !== 'bigint') throw unsupported
    const number = Number(value)
    if (number >= 0 && number < 2 ** 32) this.#varint(number)
    else if (BigInt.asUintN(64, value) === value) this.#words(value)
    else throw unsupported
  }

  #words(value: bigint): void {
    scratch.setBigInt64(0, value, true)
    let low = scratch.getUint32(0, true)
    let high = scratch.getUint32(4, true)
    const bytes = this.#bytes
    let at = this.#pos
    while (high > 0 || low > 127) {
      bytes[at] = (low & 127) | 128
      at += 1
      low = ((low >>> 7) | (high << 25)) >>> 0
      high >>>= 7
    }
    bytes[at] = low
    this.#pos = at + 1
  }

  /** Writes the length and the text; false, having written nothing, if a character is not ASCII. */
  #ascii(value: string, length: number): boolean {
    const bytes = this.#bytes
    let at = this.#pos
    bytes[at] = length
    for (let index = 0; index < length; index += 1) {
      const code = value.charCodeAt(index)
      if (code > 127) return false
      at += 1
      bytes[at] = code
    }
    this.#pos = at + 1
    return true
  }

  /** The length and the text, for which there is room. */
  #utf8(value: string): void {
    const { length } = value
    const guess = length < 1 << 7 ? 1 : length < 1 << 14 ? 2 : length < 1 << 21 ? 3 : 4
    const start = this.#pos
    const written = this.#bytes.write(value, start + guess, 'utf8')
    this.#varint(written)
    const actual = this.#pos - start
    if (actual !== guess) {
      // The varint of the length has overwritten the first byte.
      this.#pos = start + actual
      this.#bytes.write(value, this.#pos, 'utf8')
    }
    this.#pos += written
  }

  #reserve(count: number): void {
    const needed = this.#pos + count
    if (needed > this.#bytes.length) this.#grow(needed)
  }

  #grow(needed: number): void {
    let size = this.#bytes.length
    while (size < needed) size *= 2
    const larger = Buffer.allocUnsafeSlow(size)
    this.#bytes.copy(larger, 0, 0, this.#pos)
    this.#bytes = larger
  }
}

const initialBytes = 64 * 1024
/** A larger buffer is dropped after use. */
const maxKeptBytes = 1024 * 1024
const tagBytes = 2
const maxShortText = 64
const scratch = new DataView(new ArrayBuffer(8))

/** The value of a 64-bit field that is a string in TypeScript (`jstype = JS_STRING`). */
export function bigIntOf(text: string): bigint {
  if (typeof text !== 'string' || !/^(?:0|-?[1-9][0-9]{0,19})$/.test(text)) throw unsupported
  return BigInt(text)
}
