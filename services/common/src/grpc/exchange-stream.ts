import { create } from '@bufbuild/protobuf'
import * as grpc from '@grpc/grpc-js'
import {
  type CallStart,
  CallStartSchema,
  ExchangeRequestSchema,
  type ExchangeResponse,
} from '@storekeep/proto/common/v1/exchange_service'
import type { CallOptions } from './call.ts'
import { exchangeDefinition, inParcels } from './exchange-definition.ts'
import { type FailedCall, noFault } from './fault-status.ts'

/** Opens a stream, on which calls wait until the server has accepted it. */
export function openExchangeStream(client: grpc.Client): ExchangeStream {
  const stream = client.makeBidiStreamRequest(
    exchangeDefinition.path,
    exchangeDefinition.requestSerialize,
    exchangeDefinition.responseDeserialize,
  )
  const pending = new Map<number, Pending>()
  let starts: Waiting[] = []
  let canceledIds: number[] = []
  let lastId = 0
  let isAccepted = false
  let isFlushing = false
  let isLeaving = false
  let isOver = false

  function flush(): void {
    isFlushing = false
    if (isOver || !isAccepted || (starts.length === 0 && canceledIds.length === 0)) return
    const now = Date.now()
    const calls = starts.map(({ start, deadline, call }) => {
      start.timeoutMs = Math.max(0, Math.round(deadline - now))
      call.wasSent = true
      return start
    })
    for (const parcel of inParcels(calls, ({ request }) => request.length)) {
      stream.write(create(ExchangeRequestSchema, { calls: parcel, canceledIds }))
      canceledIds = []
    }
    starts = []
  }

  function flushSoon(): void {
    if (isFlushing || !isAccepted) return
    isFlushing = true
    setImmediate(flush)
  }

  function settle(id: number): Pending | undefined {
    const call = pending.get(id)
    if (!call) return undefined
    pending.delete(id)
    call.release()
    leaveWhenDone()
    return call
  }

  function leaveWhenDone(): void {
    if (!isLeaving || isOver || pending.size > 0) return
    isOver = true
    stream.end()
  }

  function giveUp(id: number, code: grpc.status, details: string): void {
    const call = settle(id)
    if (!call) return
    if (call.wasSent) canceledIds.push(id)
    else starts = starts.filter(({ start }) => start.id !== id)
    flushSoon()
    call.reject(new ExchangeError({ code, details, fault: noFault }, call.wasSent))
  }

  function fail(details: string): void {
    isOver = true
    const failed = { code: grpc.status.UNAVAILABLE, details, fault: noFault }
    for (const [id, call] of pending) {
      pending.delete(id)
      call.release()
      call.reject(new ExchangeError(failed, call.wasSent))
    }
  }

  stream.on('metadata', () => {
    isAccepted = true
    flush()
  })
  stream.on('data', ({ calls, goingAway }: ExchangeResponse) => {
    for (const { id, code, details, fault, response } of calls) {
      const call = settle(id)
      if (code === 0) call?.resolve(response)
      else call?.reject(new ExchangeError({ code, details, fault }, true))
    }
    if (goingAway) isLeaving = true
    leaveWhenDone()
  })
  stream.on('error', (error: grpc.ServiceError) => fail(error.details || error.message))
  stream.on('end', () => fail('The stream has ended.'))

  return {
    takesCalls: () => !isLeaving && !isOver,
    call(path, request, options, deadline) {
      return new Promise((resolve, reject) => {
        lastId += 1
        const id = lastId
        const timer = setTimeout(
          () => giveUp(id, grpc.status.DEADLINE_EXCEEDED, 'The deadline has passed.'),
          Math.max(0, deadline - Date.now()),
        )
        const { signal } = options
        const cancel = () => giveUp(id, grpc.status.CANCELLED, 'The call was canceled.')
        const release = () => {
          clearTimeout(timer)
          signal?.removeEventListener('abort', cancel)
        }
        const call = { resolve, reject, release, wasSent: false }
        pending.set(id, call)
        starts.push({ start: startOf(id, path, request, options), deadline, call })
        flushSoon()
        if (signal?.aborted) cancel()
        else signal?.addEventListener('abort', cancel, { once: true })
      })
    },
    close() {
      fail('The client is closed.')
      stream.cancel()
    },
  }
}

function startOf(id: number, path: string, request: Uint8Array, options: CallOptions): CallStart {
  const { requestId, traceparent, storeId, actor, idempotency } = options
  return create(CallStartSchema, {
    id,
    path,
    request,
    requestId,
    traceparent,
    ...(storeId !== undefined && { storeId }),
    ...(actor && { actorType: actor.type }),
    ...(actor?.id !== undefined && { actorId: actor.id }),
    ...(idempotency && { idempotencyKey: idempotency.key, idempotencyScope: idempotency.scope }),
  })
}

/** Why a call has no answer: the status, and whether the server can have seen the call. */
export class ExchangeError extends Error {
  readonly failed: FailedCall
  readonly wasSent: boolean

  constructor(failed: FailedCall, wasSent: boolean) {
    super(failed.details)
    this.failed = failed
    this.wasSent = wasSent
  }
}

export interface ExchangeStream {
  /** False once the server has asked to leave, or the stream is over. */
  takesCalls(): boolean
  /**
   * @param deadline in milliseconds since 1970
   * @throws ExchangeError
   */
  call(path: string, request: Uint8Array, options: CallOptions, deadline: number): Promise<Uint8Array>
  /** Fails what is under way. */
  close(): void
}

interface Pending {
  resolve(response: Uint8Array): void
  reject(error: ExchangeError): void
  /** Lets go of its timer and signal. */
  release(): void
  wasSent: boolean
}

/** A call that has not been sent. */
interface Waiting {
  start: CallStart
  deadline: number
  call: Pending
}
