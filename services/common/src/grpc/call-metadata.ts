import type { Metadata, ServerUnaryCall } from '@grpc/grpc-js'
import { ActorType } from '@storekeep/proto/common/v1/actor'
import { systemClock } from '../clock/index.ts'
import type { CallActor, Idempotency, IncomingCall } from './call.ts'

/** Reads the context of a plain unary RPC from its metadata. */
export function callFromMetadata(grpcCall: ServerUnaryCall<unknown, unknown>): IncomingCall {
  const { metadata } = grpcCall
  // gRPC gives a time of day; converted immediately, before the wall clock can jump.
  const timeoutMs = Number(grpcCall.getDeadline()) - systemClock.now().getTime()
  return {
    requestId: first(metadata, 'x-request-id') ?? '',
    traceparent: first(metadata, 'traceparent'),
    storeId: first(metadata, 'x-store-id'),
    actor: parseActor(first(metadata, 'x-actor')),
    idempotency: readIdempotency(metadata),
    deadline: performance.now() + Math.min(timeoutMs, maxDeadlineMs),
    isCanceled: () => grpcCall.cancelled,
    onCanceled: (listener) => grpcCall.once('cancelled', listener),
  }
}

/** Applies to callers that set no deadline, or one beyond the range of a timer. */
const maxDeadlineMs = 60_000

function first(metadata: Metadata, key: string): string | undefined {
  const [value] = metadata.get(key)
  return typeof value === 'string' ? value : undefined
}

function parseActor(text: string | undefined): CallActor | undefined {
  const [type, id] = text?.split(':') ?? []
  const known = actorTypes.find((one) => String(one) === type)
  if (known === undefined) return undefined
  return id ? { type: known, id } : { type: known }
}

const actorTypes = Object.values(ActorType)

function readIdempotency(metadata: Metadata): Idempotency | undefined {
  const key = first(metadata, 'idempotency-key')
  const scope = first(metadata, 'idempotency-scope')
  return key !== undefined && scope !== undefined ? { key, scope } : undefined
}
