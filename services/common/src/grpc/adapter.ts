import type { DescMessage, DescMethodUnary, DescService, MessageInitShape, MessageShape } from '@bufbuild/protobuf'
import { MethodOptions_IdempotencyLevel } from '@bufbuild/protobuf/wkt'
import type { MethodDefinition } from '@grpc/grpc-js'
import { decode, encode } from '@storekeep/proto/codec'

/** A generated service with only unary methods. */
export type UnaryService = DescService & { method: Record<string, DescMethodUnary> }

/** Request of a method as its handler receives it. */
export type Input<M extends DescMethodUnary> = MessageShape<M['input']>
/** Response of a method as its handler returns it: a message, or a plain object of its fields. */
export type OutputInit<M extends DescMethodUnary> = MessageInitShape<M['output']>
/** Request of a method as its caller passes it: a message, or a plain object of its fields. */
export type InputInit<M extends DescMethodUnary> = MessageInitShape<M['input']>
/** Response of a method as its caller receives it. */
export type Output<M extends DescMethodUnary> = MessageShape<M['output']>

/** The grpc-js definition of a generated method, cached. protobuf-es generates descriptors but no grpc-js stubs. */
export function methodDefinition<M extends DescMethodUnary>(method: M): MethodDefinition<InputInit<M>, Output<M>> {
  const known = definitions.get(method)
  if (known) return known as MethodDefinition<InputInit<M>, Output<M>>
  const definition = {
    path: `/${method.parent.typeName}/${method.name}`,
    requestStream: false,
    responseStream: false,
    originalName: method.localName,
    ...codec('request', method.input),
    ...codec('response', method.output),
  }
  definitions.set(method, definition as unknown as MethodDefinition<unknown, unknown>)
  return definition as unknown as MethodDefinition<InputInit<M>, Output<M>>
}

/** True for a read: its proto declares `idempotency_level = NO_SIDE_EFFECTS`, so it is safe to repeat. */
export function isRead(method: DescMethodUnary): boolean {
  return method.idempotency === MethodOptions_IdempotencyLevel.NO_SIDE_EFFECTS
}

const definitions = new WeakMap<DescMethodUnary, MethodDefinition<unknown, unknown>>()

function codec<S extends DescMessage>(side: 'request' | 'response', schema: S): Record<string, unknown> {
  return {
    [`${side}Serialize`]: (message: MessageInitShape<S>) => encode(schema, message),
    [`${side}Deserialize`]: (bytes: Buffer) => decode(schema, bytes),
  }
}

/** A Buffer over the same memory; `Buffer.from(bytes)` would copy it. */
export function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
