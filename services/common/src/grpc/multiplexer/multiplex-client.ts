import * as grpc from '@grpc/grpc-js'
import { noFault } from '../fault-status.ts'
import { hedge } from './hedge.ts'
import { MultiplexError, type MultiplexedStream, openMultiplexedStream, type Prove } from './multiplexed-stream.ts'

/**
 * The caller's side of MultiplexService. Spreads calls over four streams, round robin; calls made in the same tick of
 * the event loop share a stream and a message. The channel's load balancing spreads the streams over the replicas.
 * Streams open on demand and are replaced when the server requests it.
 *
 * @param prove see `openMultiplexedStream`
 */
export function createMultiplexClient(client: grpc.Client, prove: Prove): MultiplexClient {
  const slots: (MultiplexedStream | undefined)[] = Array.from({ length: streamCount }, () => undefined)
  /** Includes streams that accept no new calls but still have calls in flight. */
  const streams = new Set<MultiplexedStream>()
  let isClosed = false
  let currentSlot = 0
  let isNewTick = true
  /** Whether the server accepted the last stream that it responded to. */
  let isAccepted: boolean | undefined

  function openStream(): MultiplexedStream {
    for (const stream of streams) if (stream.isOver()) streams.delete(stream)
    const opened = openMultiplexedStream(client, prove)
    void opened.accepted.then((accepted) => {
      isAccepted = accepted
    })
    streams.add(opened)
    return opened
  }

  function replace(slot: number): MultiplexedStream {
    slots[slot]?.leave()
    const opened = openStream()
    slots[slot] = opened
    return opened
  }

  function streamAt(slot: number): MultiplexedStream {
    const known = slots[slot]
    return known?.takesCalls() ? known : replace(slot)
  }

  function currentStream(): MultiplexedStream {
    if (isNewTick) {
      isNewTick = false
      currentSlot = (currentSlot + 1) % streamCount
      setImmediate(() => {
        isNewTick = true
      })
    }
    return streamAt(currentSlot)
  }

  /**
   * Finds a stream to a different replica than `first`. While `first` has not been accepted, its replica is unknown;
   * then any stream qualifies whose replica has sent something since the call was made.
   *
   * @param since when the call was made, on the clock of `performance.now()`
   * @returns undefined if there is no other replica
   */
  async function findOtherReplica(first: MultiplexedStream, since: number): Promise<MultiplexedStream | undefined> {
    const isOther = (stream: MultiplexedStream) =>
      stream !== first &&
      stream.takesCalls() &&
      (first.peer() === undefined
        ? stream.lastReceivedAt() > since
        : stream.peer() !== undefined && stream.peer() !== first.peer())
    const candidates = slots.filter((stream) => stream !== undefined && isOther(stream))
    const [leastSilent] = candidates.sort((a, b) => (a?.silentMs() ?? 0) - (b?.silentMs() ?? 0))
    if (leastSilent) return leastSilent
    // Round robin sends at least one of two new streams to another replica. Concurrent hedges share these streams.
    const slot = slots.indexOf(first)
    const fresh = [1, 2].map((step) => {
      const next = (slot + step) % streamCount
      const stream = streamAt(next)
      return stream.openedAt > since ? stream : replace(next)
    })
    const accepted = fresh.map((stream) => stream.accepted)
    await Promise.race(accepted)
    const quickest = fresh.find(isOther)
    if (quickest) return quickest
    await Promise.all(accepted)
    return fresh.find(isOther)
  }

  return {
    async call(path, request, options, deadline) {
      if (isClosed) throw closedError()
      return await currentStream().send(path, request, options, deadline).response
    },
    async callHedged(path, request, options, deadline, mayHedge) {
      if (isClosed) throw closedError()
      const since = performance.now()
      const first = currentStream()
      return await hedge(first.send(path, request, options, deadline), async () => {
        const other = isClosed ? undefined : await findOtherReplica(first, since)
        return other && mayHedge() ? other.send(path, request, options, deadline) : undefined
      })
    },
    isReachable() {
      const isConnected = slots.some((stream) => stream?.takesCalls() && stream.peer() !== undefined)
      if (!isConnected && !isClosed) streamAt(currentSlot)
      return isConnected || isAccepted
    },
    close() {
      isClosed = true
      for (const stream of streams) stream.close()
    },
  }
}

export interface MultiplexClient {
  /**
   * Makes a unary call. Takes the parameters of `MultiplexedStream.send`.
   * @returns the serialized response
   * @throws MultiplexError if the call fails
   */
  call(...input: Parameters<MultiplexedStream['send']>): Promise<Uint8Array>
  /**
   * Like `call`, but sends the request to a second replica if the first is slow. Only for calls that are safe to repeat.
   * @param mayHedge called before the second attempt is sent; false prevents it
   */
  callHedged(...input: [...Parameters<MultiplexedStream['send']>, mayHedge: () => boolean]): Promise<Uint8Array>
  /**
   * Whether the server accepts calls; undefined if not known yet. Opens a stream if there is none, so that the next result is
   * current even if no calls are made.
   */
  isReachable(): boolean | undefined
  /** Fails the calls in flight and all later calls as canceled. */
  close(): void
}

function closedError(): MultiplexError {
  return new MultiplexError({ ...closed, fault: noFault }, false)
}

const streamCount = 4
const closed = { code: grpc.status.CANCELLED, details: 'The client is closed.' }
