import type * as grpc from '@grpc/grpc-js'
import { type ExchangeStream, openExchangeStream } from './exchange-stream.ts'

/**
 * The caller's half of ExchangeService: calls of one turn of the event loop travel together, in turns over a few
 * streams, which the balancing of the channel has spread over the replicas. Streams open when they are needed and are
 * given up when the server asks for it.
 */
export function createExchangeClient(client: grpc.Client): ExchangeClient {
  const slots: (ExchangeStream | undefined)[] = Array.from({ length: streamCount }, () => undefined)
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
    const opened = openExchangeStream(client)
    slots[turn] = opened
    return opened
  }

  return {
    call: (path, request, options, deadline) => currentStream().call(path, request, options, deadline),
    close() {
      for (const stream of slots) stream?.close()
    },
  }
}

export interface ExchangeClient {
  /** @throws ExchangeError */
  call: ExchangeStream['call']
  close(): void
}

const streamCount = 4
