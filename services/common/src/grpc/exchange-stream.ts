import { create } from '@bufbuild/protobuf'
import * as grpc from '@grpc/grpc-js'
import {
  type CallStart,
  CallStartSchema,
  ExchangeRequestSchema,
  type ExchangeResponse,
} from '@storekeep/proto/common/v1/exchange_service'
import type { CallOptions } from './call.ts'
import { chunkBySize, exchangeDefinition } from './exchange-definition.ts'
import { type FailedCall, noFault } from './fault-status.ts'
import type { Asking } from './hedge.ts'

/** Opens a stream, on which calls wait until the server has accepted it. */
export function openExchangeStream(client: grpc.Client): ExchangeStream {
  const stream = client.makeBidiStreamRequest(
    exchangeDefinition.path,
    exchangeDefinition.requestSerialize,
    exchangeDefinition.responseDeserialize,
  )
  const pending = new Map<number, Pending>()
  const waiting = new Map<number, Waiting>()
  let canceledIds: number[] = []
  let lastId = 0
  let isAccepted = false
  let isWriting = false
  let isFlushing = false
  let isLeaving = false
  let isOver = false
  /** Since when the peer owes a sign of life; it does while calls wait for it, and until it has accepted the stream. */
  let silentSince: number | undefined = performance.now()
  const openedAt = performance.now()
  let heardAt = Number.NEGATIVE_INFINITY
  let peer: string | undefined
  const { promise: accepted, resolve: resolveAccepted } = Promise.withResolvers<boolean>()

  /** One message at a time: what waits behind a peer that does not read can still be given up unsent. */
  function flush(): void {
    isFlushing = false
    if (isOver || !isAccepted || isWriting) return
    if (waiting.size === 0 && canceledIds.length === 0) return void leaveWhenDone()
    const [parcel = []] = chunkBySize([...waiting.values()], ({ start }) => start.request.length)
    const now = Date.now()
    const calls = parcel.map(({ start, deadline, call }) => {
      waiting.delete(start.id)
      start.timeoutMs = Math.max(0, Math.round(deadline - now))
      call.wasSent = true
      return start
    })
    isWriting = true
    if (calls.length > 0) silentSince ??= performance.now()
    stream.write(create(ExchangeRequestSchema, { calls, canceledIds }), () => {
      isWriting = false
      flush()
    })
    canceledIds = []
  }

  function flushSoon(): void {
    if (isFlushing) return
    isFlushing = true
    setImmediate(flush)
  }

  function settle(id: number): Pending | undefined {
    const call = pending.get(id)
    if (!call) return undefined
    pending.delete(id)
    waiting.delete(id)
    call.release()
    return call
  }

  function leaveWhenDone(): void {
    if (!isLeaving || isOver || pending.size > 0 || canceledIds.length > 0 || isWriting) return
    end()
    stream.end()
  }

  function giveUp(id: number, code: grpc.status, details: string): void {
    const call = settle(id)
    if (!call) return
    if (call.wasSent) canceledIds.push(id)
    flushSoon()
    call.reject(new ExchangeError({ code, details, fault: noFault }, call.wasSent))
  }

  function hear(): void {
    heardAt = performance.now()
    silentSince = pending.size > 0 ? heardAt : undefined
  }

  /** For a caller that has left: the peer says nothing to that by design, and owes nothing any more. */
  function cancel(id: number): void {
    giveUp(id, grpc.status.CANCELLED, 'The call was canceled.')
    if (isAccepted && pending.size === 0 && silentMs() < suspiciousMs) silentSince = undefined
  }

  function end(): void {
    isOver = true
    clearTimeout(acceptance)
    resolveAccepted(false)
  }

  function fail(details: string): void {
    end()
    const failed = { code: grpc.status.UNAVAILABLE, details, fault: noFault }
    for (const id of [...pending.keys()]) {
      const call = settle(id)
      call?.reject(new ExchangeError(failed, call.wasSent))
    }
  }

  const acceptance = setTimeout(() => {
    // After a pause of our own, what has arrived meanwhile is read first.
    setImmediate(() => {
      if (isAccepted || isOver) return
      fail('The stream was not accepted in time.')
      stream.cancel()
    })
  }, acceptanceMs)
  stream.on('metadata', () => {
    clearTimeout(acceptance)
    isAccepted = true
    peer = stream.getPeer()
    hear()
    flush()
    resolveAccepted(true)
  })
  stream.on('data', ({ calls, goingAway }: ExchangeResponse) => {
    for (const { id, code, details, fault, response } of calls) {
      const call = settle(id)
      if (code === 0) call?.resolve(response)
      else call?.reject(new ExchangeError({ code, details, fault }, true))
    }
    hear()
    if (goingAway) isLeaving = true
    leaveWhenDone()
  })
  stream.on('error', (error: grpc.ServiceError) => fail(error.details || error.message))
  stream.on('end', () => fail('The stream has ended.'))

  function silentMs(): number {
    return silentSince === undefined ? 0 : performance.now() - silentSince
  }

  return {
    takesCalls: () => !isLeaving && !isOver && silentMs() < maxSilentMs,
    silentMs,
    isOver: () => isOver,
    openedAt,
    heardAt: () => heardAt,
    peer: () => peer,
    accepted,
    leave() {
      isLeaving = true
      leaveWhenDone()
    },
    ask(path, request, options, deadline) {
      lastId += 1
      const id = lastId
      const answer = new Promise<Uint8Array>((resolve, reject) => {
        const timer = setTimeout(
          () => giveUp(id, grpc.status.DEADLINE_EXCEEDED, 'The deadline has passed.'),
          Math.max(0, deadline - Date.now()),
        )
        const { signal } = options
        const hangUp = () => cancel(id)
        const release = () => {
          clearTimeout(timer)
          signal?.removeEventListener('abort', hangUp)
        }
        const call = { resolve, reject, release, wasSent: false }
        pending.set(id, call)
        waiting.set(id, { start: startOf(id, path, request, options), deadline, call })
        flushSoon()
        if (signal?.aborted) hangUp()
        else signal?.addEventListener('abort', hangUp, { once: true })
      })
      return { answer, cancel: () => cancel(id) }
    },
    close() {
      fail('The client is closed.')
      stream.cancel()
    },
  }
}

/** A peer that owes an answer, and says nothing at all for so long, gets no new calls on this stream. */
const maxSilentMs = 1000

/** A peer that has said nothing for so long is not excused by a caller that leaves, which may do so for that reason. */
const suspiciousMs = 250

/** A stream that nobody accepts for so long is given up, and its calls, which were not sent, go elsewhere. */
const acceptanceMs = 1000

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
  /** False once the server has asked to leave or seems to stand still, or the stream is over. */
  takesCalls(): boolean
  /** How long the peer has said nothing although calls wait for it; 0 while none does. */
  silentMs(): number
  isOver(): boolean
  /** On the clock of `performance.now()`, as is `heardAt`. */
  readonly openedAt: number
  /** When the peer was heard of last. */
  heardAt(): number
  /** Its address, known once it has accepted the stream. */
  peer(): string | undefined
  /** Whether the peer has accepted the stream; false when it is over before that. */
  readonly accepted: Promise<boolean>
  /** Takes no more calls, and ends when those that it has are answered. */
  leave(): void
  /**
   * The answer fails with an ExchangeError.
   * @param deadline in milliseconds since 1970
   */
  ask(path: string, request: Uint8Array, options: CallOptions, deadline: number): Asking<Uint8Array>
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
