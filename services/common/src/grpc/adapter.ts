import type { DescMessage, DescMethodUnary, DescService, MessageInitShape, MessageShape } from '@bufbuild/protobuf'
import { create, fromBinary, toBinary } from '@bufbuild/protobuf'
import type { MethodDefinition } from '@grpc/grpc-js'

/** A generated service all of whose methods are unary; ours are. */
export type UnaryService = DescService & { method: Record<string, DescMethodUnary> }

/** Request of a method as the handler gets it. */
export type Input<M extends DescMethodUnary> = MessageShape<M['input']>
/** Answer of a method as the handler may give it: a message, or a plain object of its members. */
export type OutputInit<M extends DescMethodUnary> = MessageInitShape<M['output']>
export type InputInit<M extends DescMethodUnary> = MessageInitShape<M['input']>
export type Output<M extends DescMethodUnary> = MessageShape<M['output']>

/**
 * The grpc-js definition of one generated method. protobuf-es generates descriptors and no grpc-js stubs; this is
 * all that joins them. Definitions are made once per method and kept.
 */
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

/** True for a method whose proto says `idempotency_level = NO_SIDE_EFFECTS`: a read, safe to repeat. */
export function isRead(method: DescMethodUnary): boolean {
  return method.idempotency === noSideEffects
}

const noSideEffects = 1
const definitions = new WeakMap<DescMethodUnary, MethodDefinition<unknown, unknown>>()

function codec<S extends DescMessage>(side: 'request' | 'response', schema: S): Record<string, unknown> {
  return {
    [`${side}Serialize`]: (message: MessageInitShape<S>) => asBuffer(toBinary(schema, create(schema, message))),
    [`${side}Deserialize`]: (bytes: Buffer) => fromBinary(schema, bytes),
  }
}

/** The same memory seen as a Buffer; `Buffer.from(bytes)` would copy it. */
export function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
