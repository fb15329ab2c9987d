import type { ServerResponse } from 'node:http'

/**
 * Cuts off clients that do not read their responses: after a time, and earlier when the unsent responses of all
 * connections exceed a number of bytes; the longest-waiting ones then go first. A response that the operating system has
 * accepted counts as sent.
 */
export function createUnsentResponses({ timeoutMs, maxBytes, cutOff }: UnsentOptions): UnsentResponses {
  /** In the order in which they began to wait. */
  const waiting = new Map<ServerResponse, { bytes: number; timer: NodeJS.Timeout }>()
  let total = 0

  function forget(res: ServerResponse): void {
    const known = waiting.get(res)
    if (known === undefined) return
    clearTimeout(known.timer)
    waiting.delete(res)
    total -= known.bytes
  }

  function close(res: ServerResponse, reason: UnsentReason): void {
    forget(res)
    cutOff(res, reason)
  }

  return {
    watch(res) {
      const bytes = res.socket?.writableLength ?? 0
      if (bytes === 0) return
      const timer = setTimeout(() => close(res, 'write-timeout'), timeoutMs).unref()
      waiting.set(res, { bytes, timer })
      total += bytes
      res.once('close', () => forget(res))
      for (const oldest of waiting.keys()) {
        if (total <= maxBytes) return
        close(oldest, 'unsent-bytes')
      }
    },
  }
}

export interface UnsentResponses {
  /** Call after `res.end`. */
  watch(res: ServerResponse): void
}

export type UnsentReason = 'write-timeout' | 'unsent-bytes'

interface UnsentOptions {
  timeoutMs: number
  maxBytes: number
  /** Must close the connection of the response. */
  cutOff: (res: ServerResponse, reason: UnsentReason) => void
}
