import { randomUUID } from 'node:crypto'
import { type Call, type CallActor, type CallOptions, internalActor } from '@storekeep/common/grpc'

/** What caused a change of a payment: a call, or the task. */
export interface Origin {
  actor: CallActor
  requestId: string
  traceparent: string
}

export function originOfTask(traceparent: string): Origin {
  return { actor: internalActor, requestId: randomUUID(), traceparent }
}

/** Options of a call that advances a payment. Independent of the causing call: received money must not depend on its client. */
export function onBehalfOfPayment({ requestId, traceparent }: Origin, storeId: string): CallOptions {
  return { storeId, actor: internalActor, requestId, traceparent, deadlineMs: 2500 }
}

export function originOf({ actor, requestId, traceparent }: Call): Origin {
  return { actor, requestId, traceparent }
}
