import * as grpc from '@grpc/grpc-js'
import type {
  CallEnd,
  CallStart,
  MultiplexRequest,
  MultiplexResponse,
} from '@storekeep/proto/common/v1/multiplex_service'
import { asBuffer } from '../adapter.ts'
import type { IncomingCall } from '../call.ts'
import type { CallGuard } from '../call-guard.ts'
import { type CallerRecognition, unproven } from '../caller-recognition.ts'
import { type CallFailure, noFault } from '../fault-status.ts'
import type { RunCall } from '../run-call.ts'
import { chunkBySize, maxCallBytes, multiplexDefinition } from './multiplex-definition.ts'

/**
 * The server's side of MultiplexService. Asks callers to leave a stream when it reaches its maximum age, so that load
 * spreads over all replicas, and when the process stops. Calls in flight are finished in both cases.
 *
 * @param options.methods the methods that can be called, by path
 * @param options.streamAgeMs how long a stream accepts new calls, ± 20 %
 */
export function createMultiplexServer({ methods, callers, guard, streamAgeMs = 6000 }: Options): MultiplexServer {
  const open = new Set<{ goAway(): void }>()
  let isStopping = false

  function multiplex(stream: Stream): void {
    const running = new Map<number, RunningCall>()
    let ended: CallEnd[] = []
    let isFlushScheduled = false
    let isWriting = false
    let isGoingAway = false
    let hasAnnouncedGoingAway = false
    let callerHasEnded = false
    let isClosed = false
    const { headers, recognize } = callers.acceptStream(stream)
    let caller = unproven
    let isFirstMessage = true

    /** Writes one message at a time, so that a caller that does not read delays only its own responses. */
    function flush(): void {
      isFlushScheduled = false
      if (isClosed || isWriting) return
      if (ended.length === 0 && hasAnnouncedGoingAway === isGoingAway) return void endWhenDone()
      const [calls = [], ...rest] = chunkBySize(ended, ({ response, fault }) => response.length + fault.length)
      ended = rest.flat()
      hasAnnouncedGoingAway = isGoingAway
      isWriting = true
      stream.write({ $typeName: 'storekeep.common.v1.MultiplexResponse', calls, goingAway: isGoingAway }, () => {
        isWriting = false
        flush()
      })
    }

    function scheduleFlush(): void {
      if (isFlushScheduled) return
      isFlushScheduled = true
      setImmediate(flush)
    }

    function endWhenDone(): void {
      if (callerHasEnded && running.size === 0 && ended.length === 0 && !isWriting) stream.end()
    }

    async function handle(start: CallStart): Promise<void> {
      const call = receive(start)
      running.set(start.id, call)
      // The caller reports that it gave up, unless it is paused or unreachable.
      const overdue = setTimeout(call.cancel, Math.min(start.timeoutMs, longestTimeoutMs))
      const end = await run(start, call.incoming)
      clearTimeout(overdue)
      running.delete(start.id)
      if (!call.incoming.isCanceled()) ended.push(end)
      scheduleFlush()
    }

    async function run({ id, path, request }: CallStart, incoming: IncomingCall): Promise<CallEnd> {
      const failed = (code: grpc.status, details: string) => callEnd(id, { code, details, fault: noFault })
      const method = methods.get(path)
      if (!method) return failed(grpc.status.UNIMPLEMENTED, `Unknown method ${path}.`)
      const rejection = guard.check(caller, path, incoming)
      if (rejection) return callEnd(id, rejection)
      const { requestDeserialize, responseSerialize } = method.definition
      try {
        const outcome = await method.run(requestDeserialize(asBuffer(request)), incoming)
        if ('failure' in outcome) return callEnd(id, outcome.failure)
        const response = responseSerialize(outcome.response as never)
        if (response.length > maxCallBytes) return failed(grpc.status.INTERNAL, `The response of ${path} is too long.`)
        return callEnd(id, succeeded, response)
      } catch {
        return failed(grpc.status.INTERNAL, `A message of ${path} is malformed.`)
      }
    }

    const lifetime = setTimeout(goAway, streamAgeMs * (0.8 + Math.random() * 0.4)).unref()
    function goAway(): void {
      isGoingAway = true
      scheduleFlush()
    }
    const self = { goAway }
    open.add(self)
    function close(): void {
      if (isClosed) return
      isClosed = true
      clearTimeout(lifetime)
      open.delete(self)
      for (const call of running.values()) call.cancel()
    }

    stream.on('data', ({ calls, canceledIds, caller: proof }: MultiplexRequest) => {
      if (isFirstMessage) caller = recognize(proof)
      isFirstMessage = false
      for (const id of canceledIds) running.get(id)?.cancel()
      for (const start of calls) void handle(start)
    })
    stream.on('end', () => {
      callerHasEnded = true
      endWhenDone()
    })
    stream.on('error', close)
    stream.on('cancelled', close)
    stream.on('close', close)
    stream.sendMetadata(headers)
    if (isStopping) goAway()
  }

  return {
    definition: { multiplex: multiplexDefinition },
    implementation: { multiplex },
    goAway() {
      isStopping = true
      for (const stream of open) stream.goAway()
    },
  }
}

function callEnd(id: number, { code, details, fault }: CallFailure, response = noResponse): CallEnd {
  return { $typeName: 'storekeep.common.v1.CallEnd', id, response, code, details, fault }
}

const succeeded: CallFailure = { code: grpc.status.OK, details: '', fault: noFault }
const noResponse: Uint8Array = new Uint8Array()

/** The range of a timer. */
const longestTimeoutMs = 2 ** 31 - 1

function receive(start: CallStart): RunningCall {
  const deadline = performance.now() + start.timeoutMs
  const { actorType, actorId, idempotencyKey: key, idempotencyScope: scope } = start
  let canceled = false
  let listeners: (() => void)[] = []
  return {
    incoming: {
      requestId: start.requestId,
      traceparent: start.traceparent,
      storeId: start.storeId,
      actor: actorType === undefined ? undefined : { type: actorType, ...(actorId !== undefined && { id: actorId }) },
      idempotency: key !== undefined && scope !== undefined ? { key, scope } : undefined,
      deadline,
      isCanceled: () => canceled,
      onCanceled: (listener) => listeners.push(listener),
    },
    cancel() {
      canceled = true
      for (const listener of listeners) listener()
      listeners = []
    },
  }
}

interface Options {
  methods: ReadonlyMap<string, MultiplexedMethod>
  callers: CallerRecognition
  guard: CallGuard
  streamAgeMs?: number | undefined
}

/** A method as the multiplexer calls it: its handler and its codec. */
export interface MultiplexedMethod {
  run: RunCall
  definition: {
    requestDeserialize(bytes: Buffer): unknown
    responseSerialize(response: never): Buffer
  }
}

export interface MultiplexServer {
  definition: grpc.ServiceDefinition
  implementation: grpc.UntypedServiceImplementation
  /** Asks the callers of all streams to leave, including streams opened later. Calls that still arrive are handled. */
  goAway(): void
}

interface RunningCall {
  incoming: IncomingCall
  cancel(): void
}

type Stream = grpc.ServerDuplexStream<MultiplexRequest, MultiplexResponse>
