import type { DescMessage, Message, MessageInitShape, MessageShape } from '@bufbuild/protobuf'
import { create, fromBinary, toBinary } from '@bufbuild/protobuf'
import { unsupported } from './unsupported.ts'
import { WireReader } from './wire-reader.ts'
import { bigIntOf, WireWriter } from './wire-writer.ts'

export { bigIntOf, unsupported, type WireReader, type WireWriter }

/**
 * Serializes a message, or a plain object of its fields, like `toBinary(schema, create(schema, message))` of protobuf-es,
 * with the same bytes.
 *
 * @throws Error for a value that does not have the type of its field
 */
export function encode<S extends DescMessage>(schema: S, message: MessageInitShape<S>): Buffer {
  const codec = codecs.get(schema)
  if (codec) {
    try {
      writer.open()
      codec.write(writer, message as never)
      return writer.finish()
    } catch (error) {
      if (error !== unsupported) throw error
    }
  }
  const { buffer, byteOffset, byteLength } = toBinary(schema, create(schema, message))
  return Buffer.from(buffer, byteOffset, byteLength)
}

/**
 * Parses a message like `fromBinary(schema, bytes)` of protobuf-es. Fields of type `bytes` share memory with `bytes`.
 *
 * @throws Error for malformed bytes
 */
export function decode<S extends DescMessage>(schema: S, bytes: Uint8Array): MessageShape<S> {
  const codec = codecs.get(schema)
  if (codec) {
    try {
      reader.open(bytes instanceof Buffer ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
      return codec.read(reader, bytes.length) as MessageShape<S>
    } catch (error) {
      if (error !== unsupported) throw error
    } finally {
      reader.close()
    }
  }
  return fromBinary(schema, bytes)
}

/** Makes `encode` and `decode` use a generated codec. The generated files call it when they are imported. */
export function registerCodec(schema: DescMessage, codec: Codec): void {
  codecs.set(schema, codec)
}

/** The generated codec of a message; undefined if it has none. For tests. */
export function codecOf(schema: DescMessage): Codec | undefined {
  return codecs.get(schema)
}

/** The generated functions of a message. Both throw `unsupported` for what they leave to protobuf-es. */
export interface Codec {
  write(writer: WireWriter, message: never): void
  /** Reads until `end`, the position after the message. */
  read(reader: WireReader, end: number): Message
}

/** What a generated writer accepts: a message, or a plain object with some of its fields. */
export type Init<T> = T extends Message
  ? { readonly [P in keyof T]?: Init<T[P]> | null | undefined }
  : T extends Uint8Array
    ? T
    : T extends readonly (infer Item)[]
      ? readonly Init<Item>[]
      : T extends { case: infer Case; value: infer Value }
        ? { readonly case: Case; readonly value: Init<Value> }
        : T

const codecs = new WeakMap<DescMessage, Codec>()
/** Shared by all messages: reading and writing are synchronous and do not nest. */
const reader = new WireReader()
const writer = new WireWriter()
