import { create } from '@bufbuild/protobuf'
import * as grpc from '@grpc/grpc-js'
import {
  type CallEnd,
  CallEndSchema,
  type CallStart,
  type ExchangeRequest,
  type ExchangeResponse,
  ExchangeResponseSchema,
} from '@storekeep/proto/common/v1/exchange_service'
import { asBuffer } from './adapter.ts'
import type { IncomingCall } from './call.ts'
import { chunkBySize, exchangeDefinition, maxCallBytes } from './exchange-definition.ts'
import type { RunCall } from './run-call.ts'

/**
 * The server's half of ExchangeService. A stream is asked to go when it is old, so that callers come round to all
 * replicas, and when the server stops; the calls on it are finished all the same.
 *
 * @param methods what can be called, by path
 * @param streamAgeMs for about how long a stream takes new calls
 */
export function createExchangeServer(
  methods: ReadonlyMap<string, ExchangedMethod>,
  streamAgeMs = 6000,
): ExchangeServer {
  const open = new Set<{ goAway(): void }>()
  let isStopping = false

  function exchange(stream: Stream): void {
    const running = new Map<number, Running>()
    let ended: CallEnd[] = []
    let isFlushing = false
    let isWriting = false
    let goingAway = false
    /** Whether the caller has been told as much. */
    let isTold = false
    let callerIsDone = false
    let hungUp = false

    /** One message at a time, so that a caller that does not read holds up nothing but its own answers. */
    function flush(): void {
      isFlushing = false
      if (hungUp || isWriting) return
      if (ended.length === 0 && isTold === goingAway) return void endWhenDone()
      const [calls = [], ...others] = chunkBySize(ended, ({ response, fault }) => response.length + fault.length)
      ended = others.flat()
      isTold = goingAway
      isWriting = true
      stream.write(create(ExchangeResponseSchema, { calls, goingAway }), () => {
        isWriting = false
        flush()
      })
    }

    function flushSoon(): void {
      if (isFlushing) return
      isFlushing = true
      setImmediate(flush)
    }

    function endWhenDone(): void {
      if (callerIsDone && running.size === 0 && ended.length === 0 && !isWriting) stream.end()
    }

    async function answer(start: CallStart): Promise<void> {
      const one = receive(start)
      running.set(start.id, one)
      const end = await endOf(start, one.incoming)
      running.delete(start.id)
      if (!one.incoming.isCanceled()) ended.push(end)
      flushSoon()
    }

    async function endOf({ id, path, request }: CallStart, incoming: IncomingCall): Promise<CallEnd> {
      const failed = (code: grpc.status, details: string) => create(CallEndSchema, { id, code, details })
      const method = methods.get(path)
      if (!method) return failed(grpc.status.UNIMPLEMENTED, `There is no ${path}.`)
      const { requestDeserialize, responseSerialize } = method.definition
      try {
        const outcome = await method.run(requestDeserialize(asBuffer(request)), incoming)
        if ('failed' in outcome) return create(CallEndSchema, { id, ...outcome.failed })
        const response = responseSerialize(outcome.response as never)
        if (response.length > maxCallBytes) return failed(grpc.status.INTERNAL, `The answer of ${path} is too long.`)
        return create(CallEndSchema, { id, response })
      } catch {
        return failed(grpc.status.INTERNAL, `A message of ${path} cannot be read or written.`)
      }
    }

    const lifetime = setTimeout(goAway, streamAgeMs * (0.8 + Math.random() * 0.4)).unref()
    function goAway(): void {
      goingAway = true
      flushSoon()
    }
    const self = { goAway }
    open.add(self)
    function hangUp(): void {
      if (hungUp) return
      hungUp = true
      clearTimeout(lifetime)
      open.delete(self)
      for (const one of running.values()) one.cancel()
    }

    stream.on('data', ({ calls, canceledIds }: ExchangeRequest) => {
      for (const id of canceledIds) running.get(id)?.cancel()
      for (const start of calls) void answer(start)
    })
    stream.on('end', () => {
      callerIsDone = true
      endWhenDone()
    })
    stream.on('error', hangUp)
    stream.on('cancelled', hangUp)
    stream.on('close', hangUp)
    stream.sendMetadata(new grpc.Metadata())
    if (isStopping) goAway()
  }

  return {
    definition: { exchange: exchangeDefinition },
    implementation: { exchange },
    goAway() {
      isStopping = true
      for (const stream of open) stream.goAway()
    },
  }
}

function receive(start: CallStart): Running {
  const deadline = Date.now() + start.timeoutMs
  const { actorType, actorId, idempotencyKey: key, idempotencyScope: scope } = start
  let canceled = false
  let whenCanceled: (() => void)[] = []
  return {
    incoming: {
      requestId: start.requestId,
      traceparent: start.traceparent,
      storeId: start.storeId,
      actor: actorType === undefined ? undefined : { type: actorType, ...(actorId !== undefined && { id: actorId }) },
      idempotency: key !== undefined && scope !== undefined ? { key, scope } : undefined,
      deadline,
      isCanceled: () => canceled,
      onCanceled: (run) => whenCanceled.push(run),
    },
    cancel() {
      canceled = true
      for (const run of whenCanceled) run()
      whenCanceled = []
    },
  }
}

export interface ExchangedMethod {
  run: RunCall
  definition: {
    requestDeserialize(bytes: Buffer): unknown
    responseSerialize(response: never): Buffer
  }
}

export interface ExchangeServer {
  definition: grpc.ServiceDefinition
  implementation: grpc.UntypedServiceImplementation
  /** Asks every caller to leave, also those whose stream was on its way; what they ask until they hear of it is answered. */
  goAway(): void
}

interface Running {
  incoming: IncomingCall
  cancel(): void
}

type Stream = grpc.ServerDuplexStream<ExchangeRequest, ExchangeResponse>
