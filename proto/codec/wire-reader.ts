import { unsupported } from './unsupported.ts'

/**
 * Reads the protobuf wire format for generated codecs. Accepts only what a current writer produces and throws `unsupported`
 * for anything else, such as values that end outside the buffer: protobuf-es decides whether it is wrong.
 */
export class WireReader {
  /** Position of the next byte. */
  pos = 0
  #bytes: Buffer = noBytes
  #length = 0
  /** The bytes from `#textStart` to `#textEnd` as Latin-1. Short strings are cut from it. */
  #text = ''
  #textStart = 0
  #textEnd = 0

  /** Starts with the first byte of `bytes`. Their length is the end of the message. */
  open(bytes: Buffer): void {
    this.#bytes = bytes
    this.#length = bytes.length
    this.#textEnd = 0
    this.pos = 0
  }

  /** Drops the references to the bytes. */
  close(): void {
    this.#bytes = noBytes
    this.#length = 0
    this.#text = ''
  }

  /** An unsigned varint of up to 32 bits, such as a tag. */
  uint32(): number {
    const first = this.#byte()
    if (first < 128) return first
    const second = this.#byte()
    if (second < 128) return (first & 127) | (second << 7)
    return this.#longUint32((first & 127) | ((second & 127) << 7))
  }

  /** A signed varint or an enum value. Negative ones are unsupported. */
  int32(): number {
    const value = this.uint32()
    if (value > maxInt32) throw unsupported
    return value
  }

  bool(): boolean {
    const value = this.#byte()
    if (value > 127) throw unsupported
    return value !== 0
  }

  int64(): bigint {
    const value = this.#safeInteger()
    return value < 0 ? this.#longVarint().getBigInt64(0, true) : toBigInt(value)
  }

  uint64(): bigint {
    const value = this.#safeInteger()
    return value < 0 ? this.#longVarint().getBigUint64(0, true) : toBigInt(value)
  }

  fixed32(): number {
    return this.#bytes.readUInt32LE(this.#skip(4))
  }

  fixed64(): bigint {
    return this.#bytes.readBigUInt64LE(this.#skip(8))
  }

  sfixed64(): bigint {
    return this.#bytes.readBigInt64LE(this.#skip(8))
  }

  bytes(): Uint8Array {
    const length = this.uint32()
    const start = this.#skip(length)
    return this.#bytes.subarray(start, start + length)
  }

  string(): string {
    const length = this.uint32()
    if (length === 0) return ''
    const start = this.#skip(length)
    const end = this.pos
    const bytes = this.#bytes
    if (length > maxShortText) return this.#utf8(start, end)
    for (let at = start; at < end; at += 1) if ((bytes[at] ?? 0) > 127) return this.#utf8(start, end)
    // Cutting strings from a decoded piece takes a fifth of the time of decoding each. The piece is small, since a string
    // that is kept keeps its piece.
    if (start < this.#textStart || end > this.#textEnd) {
      this.#textStart = start
      this.#textEnd = Math.min(start + pieceBytes, this.#length)
      this.#text = bytes.toString('latin1', start, this.#textEnd)
    }
    return this.#text.substring(start - this.#textStart, end - this.#textStart)
  }

  /** Reads the length of a nested message and returns its end, which may be past the end of the bytes. */
  nested(): number {
    const length = this.uint32()
    return this.pos + length
  }

  /** Reads an entry of a map of strings into `map`. */
  textEntry(map: Record<string, string>): void {
    const end = this.nested()
    if (this.uint32() !== keyTag) throw unsupported
    const key = this.string()
    if (key === '__proto__' || this.uint32() !== valueTag) throw unsupported
    map[key] = this.string()
    if (this.pos !== end) throw unsupported
  }

  #byte(): number {
    const at = this.pos
    if (at >= this.#length) throw unsupported
    this.pos = at + 1
    return this.#bytes[at] ?? 0
  }

  /** Returns the position before the skipped bytes. */
  #skip(length: number): number {
    const start = this.pos
    const end = start + length
    if (end > this.#length) throw unsupported
    this.pos = end
    return start
  }

  #longUint32(low: number): number {
    let value = low
    for (let shift = 14; shift < 28; shift += 7) {
      const byte = this.#byte()
      value |= (byte & 127) << shift
      if (byte < 128) return value
    }
    const last = this.#byte()
    if (last > 15) throw unsupported
    return (value | (last << 28)) >>> 0
  }

  /** A varint of up to seven bytes, 49 bits; -1, having read nothing, for a longer one. */
  #safeInteger(): number {
    const start = this.pos
    let value = 0
    let factor = 1
    for (let count = 0; count < 7; count += 1) {
      const byte = this.#byte()
      value += (byte & 127) * factor
      if (byte < 128) return value
      factor *= 128
    }
    this.pos = start
    return -1
  }

  #longVarint(): DataView {
    let low = 0
    for (let shift = 0; shift < 28; shift += 7) low |= (this.#byte() & 127) << shift
    const middle = this.#byte()
    low |= (middle & 15) << 28
    let high = (middle & 127) >> 4
    for (let shift = 3; shift < 31; shift += 7) {
      const byte = this.#byte()
      high |= (byte & 127) << shift
      if (byte < 128) return words(low, high)
    }
    const last = this.#byte()
    if (last > 1) throw unsupported
    return words(low, high | (last << 31))
  }

  #utf8(start: number, end: number): string {
    const text = this.#bytes.toString('utf8', start, end)
    // Either the text contains this character or the bytes are not UTF-8.
    if (text.includes('\ufffd')) throw unsupported
    return text
  }
}

/** Tags of the two fields of a map entry. */
export const keyTag = 10
export const valueTag = 18
const noBytes = Buffer.alloc(0)
const maxInt32 = 0x7fffffff
const maxShortText = 64
const pieceBytes = 1024

/** Most numbers are small, and creating a bigint allocates. */
const smallBigInts = Array.from({ length: 1024 }, (_, value) => BigInt(value))

function toBigInt(value: number): bigint {
  return smallBigInts[value] ?? BigInt(value)
}

const scratch = new DataView(new ArrayBuffer(8))

function words(low: number, high: number): DataView {
  scratch.setInt32(0, low, true)
  scratch.setInt32(4, high, true)
  return scratch
}
