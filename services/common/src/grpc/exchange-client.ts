import * as grpc from '@grpc/grpc-js'
import { ExchangeError, type ExchangeStream, openExchangeStream } from './exchange-stream.ts'
import { noFault } from './fault-status.ts'
import { hedge } from './hedge.ts'

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

  function openStream(): ExchangeStream {
    for (const stream of streams) if (stream.isOver()) streams.delete(stream)
    const opened = openExchangeStream(client)
    streams.add(opened)
    return opened
  }

  function replace(place: number): ExchangeStream {
    slots[place]?.leave()
    const opened = openStream()
    slots[place] = opened
    return opened
  }

  /** The stream of a place, a new one where there is none that takes calls. */
  function streamAt(place: number): ExchangeStream {
    const known = slots[place]
    return known?.takesCalls() ? known : replace(place)
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

  /**
   * A stream to another replica than that of `first`, if there is one. While nobody has accepted `first`, its replica is
   * not known; then one whose replica is alive, which is to say that it was heard of since.
   */
  async function elsewhere(first: ExchangeStream, since: number): Promise<ExchangeStream | undefined> {
    const isElsewhere = (stream: ExchangeStream) =>
      stream !== first &&
      stream.takesCalls() &&
      (first.peer() === undefined
        ? stream.heardAt() > since
        : stream.peer() !== undefined && stream.peer() !== first.peer())
    const known = slots.filter((stream) => stream !== undefined && isElsewhere(stream))
    const [liveliest] = known.sort((a, b) => (a?.silentMs() ?? 0) - (b?.silentMs() ?? 0))
    if (liveliest) return liveliest
    // The balancing takes replicas in turns, so of two new streams one goes elsewhere. Who else asks meanwhile shares them.
    const place = slots.indexOf(first)
    const fresh = [1, 2].map((step) => {
      const there = (place + step) % streamCount
      const stream = streamAt(there)
      return stream.openedAt > since ? stream : replace(there)
    })
    const accepted = fresh.map((stream) => stream.accepted)
    await Promise.race(accepted)
    const quickest = fresh.find(isElsewhere)
    if (quickest) return quickest
    await Promise.all(accepted)
    return fresh.find(isElsewhere)
  }

  return {
    async call(path, request, options, deadline) {
      if (isClosed) throw closedError()
      return await currentStream().ask(path, request, options, deadline).answer
    },
    async callHedged(path, request, options, deadline, mayHedge) {
      if (isClosed) throw closedError()
      const since = performance.now()
      const first = currentStream()
      return await hedge(first.ask(path, request, options, deadline), async () => {
        const other = isClosed ? undefined : await elsewhere(first, since)
        return other && mayHedge() ? other.ask(path, request, options, deadline) : undefined
      })
    },
    close() {
      isClosed = true
      for (const stream of streams) stream.close()
    },
  }
}

export interface ExchangeClient {
  /** @throws ExchangeError */
  call(...input: Parameters<ExchangeStream['ask']>): Promise<Uint8Array>
  /**
   * For a call that may happen twice: asks another replica too when the first one lets it wait. The first answer counts.
   * @param mayHedge asked when that moment has come and another replica is there
   * @throws ExchangeError
   */
  callHedged(...input: [...Parameters<ExchangeStream['ask']>, mayHedge: () => boolean]): Promise<Uint8Array>
  close(): void
}

function closedError(): ExchangeError {
  return new ExchangeError({ ...closed, fault: noFault }, false)
}

const streamCount = 4
const closed = { code: grpc.status.CANCELLED, details: 'The client is closed.' }
