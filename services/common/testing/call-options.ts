import { randomUUID } from 'node:crypto'
import { ActorType } from '@storekeep/proto/common/v1/actor'
import type { CallOptions } from '../src/grpc/index.ts'
import { childContext, formatTraceparent } from '../src/telemetry/index.ts'

/** Options for a call by the operator. */
export function operator(options: Partial<CallOptions> = {}): CallOptions {
  return {
    actor: { type: ActorType.ADMIN },
    requestId: randomUUID(),
    traceparent: formatTraceparent(childContext()),
    // Longer than any call takes, however busy the machine is.
    deadlineMs: 60_000,
    ...options,
  }
}

/** Options for a call that a service makes on its own. */
export function internal(options: Partial<CallOptions> = {}): CallOptions {
  return operator({ actor: { type: ActorType.INTERNAL }, ...options })
}

/** Options for a call with an API key of the store. */
export function withApiKey(storeId: string, options: Partial<CallOptions> = {}): CallOptions & { storeId: string } {
  return { ...operator(), actor: { type: ActorType.API_KEY, id: '411486491630370817' }, ...options, storeId }
}

/** Adds an idempotency key to the options. */
export function withKey<Options extends CallOptions>(options: Options, key: string = randomUUID()): Options {
  return { ...options, idempotency: { key, scope: 'POST /test' } }
}
