import * as grpc from '@grpc/grpc-js'
import { ExchangeError, type ExchangeStream, openExchangeStream } from './exchange-stream.ts'
import { noFault } from './fault-status.ts'

/**
 * The caller's half of ExchangeService: calls of one turn of the event loop travel together, in turns over a few
 * streams, which the balancing of the channel has spread over the replicas. Streams open when they are needed and are
 * given up when the server asks for it.
 */
export function createExchangeClient(client: grpc.Client): ExchangeClient {
  const slots: (ExchangeStream | undefined)[] = Array.from({ length: streamCount }, () => undefined)
  /** Those that take no more calls too, until they are over. */
  const streams = new Set<ExchangeStream>()
  let isClosed = false
  let turn = 0
  let isTurnOver = true

  /** Calls of the same turn get the same stream. */
  function currentStream(): ExchangeStream {
    if (isTurnOver) {
      isTurnOver = false
      turn = (turn + 1) % streamCount
      setImmediate(() => {
        isTurnOver = true
      })
    }
    const known = slots[turn]
    if (known?.takesCalls()) return known
    for (const stream of streams) if (stream.isOver()) streams.delete(stream)
    const opened = openExchangeStream(client)
    streams.add(opened)
    slots[turn] = opened
    return opened
  }

  return {
    async call(path, request, options, deadline) {
      if (isClosed) throw new ExchangeError({ ...closed, fault: noFault }, false)
      return currentStream().call(path, request, options, deadline)
    },
    close() {
      isClosed = true
      for (const stream of streams) stream.close()
    },
  }
}

export interface ExchangeClient {
  /** @throws ExchangeError */
  call: ExchangeStream['call']
  close(): void
}

const streamCount = 4
const closed = { code: grpc.status.CANCELLED, details: 'The client is closed.' }
