import * as grpc from '@grpc/grpc-js'
import type { CallerProof, CallStart, MultiplexResponse } from '@storekeep/proto/common/v1/multiplex_service'
import type { CallOptions } from '../call.ts'
import { nonceHeader } from '../caller-recognition.ts'
import { type CallFailure, noFault } from '../fault-status.ts'
import type { Attempt } from './hedge.ts'
import { chunkBySize, multiplexDefinition } from './multiplex-definition.ts'

/**
 * Opens a stream. Calls made before the server has accepted it are queued.
 * @param prove proves the caller's name for the nonce that the server has sent
 */
export function openMultiplexedStream(client: grpc.Client, prove: Prove): MultiplexedStream {
  const stream = client.makeBidiStreamRequest(
    multiplexDefinition.path,
    multiplexDefinition.requestSerialize,
    multiplexDefinition.responseDeserialize,
  )
  const pending = new Map<number, PendingCall>()
  /** How many of them the server should respond to soon. It holds the others back on purpose (`CallOptions.holdMs`). */
  let expected = 0
  /** Calls that were not sent yet, in order. */
  let queued: PendingCall[] = []
  let canceledIds: number[] = []
  let lastId = 0
  let isAccepted = false
  let isWriting = false
  let isFlushScheduled = false
  let isLeaving = false
  let isOver = false
  /** Since when we have been waiting for the server: for it to accept the stream, or to end a call. */
  let silentSince: number | undefined = performance.now()
  const openedAt = performance.now()
  let lastReceivedAt = Number.NEGATIVE_INFINITY
  let peer: string | undefined
  /** Sent with the first message. */
  let proof: CallerProof | undefined
  const { promise: accepted, resolve: resolveAccepted } = Promise.withResolvers<boolean>()

  /** Writes one message at a time, so that calls queued behind a server that does not read can be canceled unsent. */
  function flush(): void {
    isFlushScheduled = false
    if (isOver || !isAccepted || isWriting) return
    if (queued.length === 0 && canceledIds.length === 0) return void leaveWhenDone()
    const [chunk = [], ...rest] = chunkBySize(queued, ({ start }) => start.request.length)
    queued = rest.flat()
    const now = performance.now()
    const isExpecting = chunk.some(({ isHeld }) => !isHeld)
    const calls = chunk.map((call) => {
      call.start.timeoutMs = Math.max(0, Math.round(call.deadline - now))
      call.wasSent = true
      return call.start
    })
    isWriting = true
    if (isExpecting) silentSince ??= performance.now()
    stream.write({ $typeName: 'storekeep.common.v1.MultiplexRequest', calls, canceledIds, caller: proof }, () => {
      isWriting = false
      flush()
    })
    canceledIds = []
    proof = undefined
  }

  function scheduleFlush(): void {
    if (isFlushScheduled) return
    isFlushScheduled = true
    setImmediate(flush)
  }

  function settle(id: number): PendingCall | undefined {
    const call = pending.get(id)
    if (!call) return undefined
    pending.delete(id)
    if (!call.isHeld) expected -= 1
    const index = call.wasSent ? -1 : queued.indexOf(call)
    if (index >= 0) queued.splice(index, 1)
    call.release()
    return call
  }

  function leaveWhenDone(): void {
    if (!isLeaving || isOver || pending.size > 0 || canceledIds.length > 0 || isWriting) return
    end()
    stream.end()
  }

  function abandon(id: number, code: grpc.status, details: string): void {
    const call = settle(id)
    if (!call) return
    if (call.wasSent) canceledIds.push(id)
    scheduleFlush()
    call.reject(new MultiplexError({ code, details, fault: noFault }, call.wasSent))
  }

  /** The server does not respond to a cancellation, so once the last call is canceled its silence means nothing. */
  function cancel(id: number): void {
    abandon(id, grpc.status.CANCELLED, 'The call was canceled.')
    if (isAccepted && expected === 0 && silentMs() < suspiciousMs) silentSince = undefined
  }

  function end(): void {
    isOver = true
    clearTimeout(acceptTimer)
    resolveAccepted(false)
  }

  function fail(details: string): void {
    end()
    const failure = { code: grpc.status.UNAVAILABLE, details, fault: noFault }
    queued = []
    for (const id of pending.keys()) {
      const call = settle(id)
      call?.reject(new MultiplexError(failure, call.wasSent))
    }
  }

  function markReceived(): void {
    lastReceivedAt = performance.now()
    silentSince = expected > 0 ? lastReceivedAt : undefined
  }

  function silentMs(): number {
    return silentSince === undefined ? 0 : performance.now() - silentSince
  }

  const acceptTimer = setTimeout(() => {
    // If this process was paused, read first what has arrived in the meantime.
    setImmediate(() => {
      if (isAccepted || isOver) return
      fail('The server did not accept the stream in time.')
      stream.cancel()
    })
  }, acceptTimeoutMs)
  stream.on('metadata', (headers: grpc.Metadata) => {
    clearTimeout(acceptTimer)
    const [nonce] = headers.get(nonceHeader)
    if (nonce instanceof Buffer) proof = prove(nonce)
    isAccepted = true
    peer = stream.getPeer()
    markReceived()
    flush()
    resolveAccepted(true)
  })
  stream.on('data', ({ calls, goingAway }: MultiplexResponse) => {
    for (const { id, code, details, fault, response } of calls) {
      const call = settle(id)
      if (code === 0) call?.resolve(response)
      else call?.reject(new MultiplexError({ code, details, fault }, true))
    }
    markReceived()
    if (goingAway) isLeaving = true
    leaveWhenDone()
  })
  stream.on('error', (error: grpc.ServiceError) => fail(error.details || error.message))
  stream.on('end', () => fail('The server ended the stream.'))

  return {
    takesCalls: () => !isLeaving && !isOver && silentMs() < maxSilentMs,
    silentMs,
    isOver: () => isOver,
    openedAt,
    lastReceivedAt: () => lastReceivedAt,
    peer: () => peer,
    accepted,
    leave() {
      isLeaving = true
      leaveWhenDone()
    },
    send(path, request, options, deadline) {
      lastId += 1
      const id = lastId
      const response = new Promise<Uint8Array>((resolve, reject) => {
        const timer = setTimeout(
          () => abandon(id, grpc.status.DEADLINE_EXCEEDED, 'The deadline has passed.'),
          Math.max(0, deadline - performance.now()),
        )
        const { signal } = options
        const onAbort = () => cancel(id)
        const release = () => {
          clearTimeout(timer)
          signal?.removeEventListener('abort', onAbort)
        }
        const start = callStart(id, path, request, options)
        const isHeld = options.holdMs !== undefined
        const call = { start, deadline, resolve, reject, release, wasSent: false, isHeld }
        pending.set(id, call)
        if (!isHeld) expected += 1
        queued.push(call)
        scheduleFlush()
        if (signal?.aborted) onAbort()
        else signal?.addEventListener('abort', onAbort)
      })
      return { response, cancel: () => cancel(id) }
    },
    close() {
      fail('The client is closed.')
      stream.cancel()
    },
  }
}

/** A server that has sent nothing for this long while calls are pending gets no new calls on the stream. */
const maxSilentMs = 1000

/** After this much silence a cancellation no longer resets it: callers may be canceling because of the silence. */
const suspiciousMs = 250

/** A stream that is not accepted within this time is abandoned. Its calls were not sent and go to another stream. */
const acceptTimeoutMs = 1000

function callStart(id: number, path: string, request: Uint8Array, options: CallOptions): CallStart {
  const { requestId, traceparent, storeId, actor, idempotency } = options
  return {
    $typeName: 'storekeep.common.v1.CallStart',
    id,
    path,
    request,
    // Set when it is sent.
    timeoutMs: 0,
    requestId,
    traceparent,
    storeId,
    actorType: actor?.type,
    actorId: actor?.id,
    idempotencyKey: idempotency?.key,
    idempotencyScope: idempotency?.scope,
  }
}

/** @returns undefined if the caller shares no key with the server */
export type Prove = (nonce: Uint8Array) => CallerProof | undefined

/** A failed call: its gRPC status, and whether the server may have received it. */
export class MultiplexError extends Error {
  readonly failure: CallFailure
  readonly wasSent: boolean

  constructor(failure: CallFailure, wasSent: boolean) {
    super(failure.details)
    this.failure = failure
    this.wasSent = wasSent
  }
}

export interface MultiplexedStream {
  /** False once the server has asked callers to leave or seems unresponsive, or the stream is over. */
  takesCalls(): boolean
  /** How long the server has sent nothing while calls are pending that it does not hold back, in milliseconds; 0 while none is. */
  silentMs(): number
  isOver(): boolean
  /** On the clock of `performance.now()`, as is `lastReceivedAt`. */
  readonly openedAt: number
  /** When the server last sent something. */
  lastReceivedAt(): number
  /** Address of the server; undefined until it has accepted the stream. */
  peer(): string | undefined
  /** Resolves to true when the server accepts the stream, to false when the stream ends before that. */
  readonly accepted: Promise<boolean>
  /** Takes no more calls, and ends the stream when those in flight have ended. */
  leave(): void
  /**
   * Makes a unary call. The response rejects with a MultiplexError if it fails.
   *
   * @param path `/package.Service/Method`
   * @param request the serialized request
   * @param deadline on the clock of `performance.now()`
   */
  send(path: string, request: Uint8Array, options: CallOptions, deadline: number): Attempt<Uint8Array>
  /** Fails the calls in flight with UNAVAILABLE and closes the stream. */
  close(): void
}

interface PendingCall {
  readonly start: CallStart
  readonly deadline: number
  resolve(response: Uint8Array): void
  reject(error: MultiplexError): void
  /** Clears its timer and abort listener. */
  release(): void
  wasSent: boolean
  /** Whether the server holds the response back on purpose. */
  isHeld: boolean
}
