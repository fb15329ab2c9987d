import * as grpc from '@grpc/grpc-js'
import { askTwice } from './ask-twice.ts'
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

  /** The stream of a place, a new one where there is none that takes calls. */
  function streamAt(place: number): ExchangeStream {
    const known = slots[place]
    if (known?.takesCalls()) return known
    known?.leave()
    for (const stream of streams) if (stream.isOver()) streams.delete(stream)
    const opened = openExchangeStream(client)
    streams.add(opened)
    slots[place] = opened
    return opened
  }

  /** Calls of the same turn get the same stream. */
  function currentStream(): ExchangeStream {
    if (isTurnOver) {
      isTurnOver = false
      turn = (turn + 1) % streamCount
      setImmediate(() => {
        isTurnOver = true
      })
    }
    return streamAt(turn)
  }

  /** The one whose peer was heard of last, but for `first`; a new one where there is no other. */
  function otherStream(first: ExchangeStream): ExchangeStream {
    const others = slots.filter((stream) => stream !== undefined && stream !== first && stream.takesCalls())
    const [liveliest] = others.sort((a, b) => (a?.silentMs() ?? 0) - (b?.silentMs() ?? 0))
    return liveliest ?? streamAt((slots.indexOf(first) + 1) % streamCount)
  }

  return {
    async call(path, request, options, deadline) {
      if (isClosed) throw closedError()
      return await currentStream().call(path, request, options, deadline)
    },
    async callTwice(path, request, options, deadline, mayAskAgain) {
      if (isClosed) throw closedError()
      const first = currentStream()
      return await askTwice(
        () => first.call(path, request, options, deadline),
        () => (isClosed || !mayAskAgain() ? undefined : otherStream(first).call(path, request, options, deadline)),
      )
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
  /**
   * For a call that may happen twice: asks on a second stream too when the first one lets it wait. The first answer counts.
   * @param mayAskAgain asked when that moment has come
   * @throws ExchangeError
   */
  callTwice(...input: [...Parameters<ExchangeStream['call']>, mayAskAgain: () => boolean]): Promise<Uint8Array>
  close(): void
}

function closedError(): ExchangeError {
  return new ExchangeError({ ...closed, fault: noFault }, false)
}

const streamCount = 4
const closed = { code: grpc.status.CANCELLED, details: 'The client is closed.' }
