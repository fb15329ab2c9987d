import type { DescMessage, Message, MessageInitShape, MessageShape } from '@bufbuild/protobuf'
import { create, fromBinary, toBinary } from '@bufbuild/protobuf'
import { BinaryReader, BinaryWriter } from '@bufbuild/protobuf/wire'

/**
 * Serializes a message, or a plain object of its fields, like `toBinary(schema, create(schema, message))` of protobuf-es,
 * with the same bytes.
 *
 * @throws Error for a value that does not have the type of its field
 */
export function encode<S extends DescMessage>(schema: S, message: MessageInitShape<S>): Buffer {
  const { buffer, byteOffset, byteLength } = bytesOf(schema, message)
  return Buffer.from(buffer, byteOffset, byteLength)
}

function bytesOf<S extends DescMessage>(schema: S, message: MessageInitShape<S>): Uint8Array<ArrayBuffer> {
  const codec = codecs.get(schema)
  if (codec) {
    try {
      codec.write(writer, message as never)
      const bytes = writer.finish()
      if (bytes.length > maxKeptBytes) writer = new BinaryWriter()
      return bytes
    } catch {
      writer = new BinaryWriter()
      // protobuf-es reports the error, or writes what the codec does not support.
    }
  }
  return toBinary(schema, create(schema, message))
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
      return codec.read(new BinaryReader(bytes), bytes.length) as MessageShape<S>
    } catch {
      // protobuf-es rejects malformed bytes, or reads what the codec does not support.
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

/** The generated functions of a message. Both throw for what they leave to protobuf-es. */
export interface Codec {
  write(writer: BinaryWriter, message: never): void
  /** Reads until `end`, the position after the message. */
  read(reader: BinaryReader, end: number): Message
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

/** Reads an entry of a string map into `map`. */
export function readTextEntry(reader: BinaryReader, map: Record<string, string>): void {
  const end = reader.uint32() + reader.pos
  if (reader.uint32() !== keyTag) throw unsupported
  const key = reader.string(true)
  if (key === '__proto__' || reader.uint32() !== valueTag) throw unsupported
  map[key] = reader.string(true)
  if (reader.pos !== end) throw unsupported
}

/** Writes a string map; `tag` is the map field's tag. */
export function writeTextEntries(writer: BinaryWriter, tag: number, map: Readonly<Record<string, string>>): void {
  for (const [key, value] of Object.entries(map)) {
    writer.uint32(tag).fork().uint32(keyTag).string(key).uint32(valueTag).string(value).join()
  }
}

/**
 * Thrown by a generated codec for what it leaves to protobuf-es, such as unknown fields. A single instance, because creating
 * an Error captures the stack.
 */
export const unsupported = new Error('This message is left to protobuf-es.')

const keyTag = 10
const valueTag = 18
/** Shared by all messages, to keep its buffer: writing is synchronous and does not nest. */
let writer = new BinaryWriter()
const maxKeptBytes = 1024 * 1024
const codecs = new WeakMap<DescMessage, Codec>()
