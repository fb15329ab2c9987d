import type { CancelSignal } from '@storekeep/common/grpc'

/**
 * The polls that wait for a command (RFC 7240 `Prefer: wait`). They do not count as concurrent requests, so their number is limited
 * here: in total by the memory that they occupy, about 20 KB each, and per game server, so that no token can take the places of others.
 * A poll without a place does not wait.
 *
 * @param options.max of all polls; 0 disables waiting
 */
export function createHeldPolls({ max }: { max: number }): HeldPolls {
  const held = new Map<string, Set<AbortController>>()
  let count = 0
  let hasEnded = false

  function leave(gameServerId: string, controller: AbortController): void {
    const ofServer = held.get(gameServerId)
    if (!ofServer?.delete(controller)) return
    count -= 1
    if (ofServer.size === 0) held.delete(gameServerId)
  }

  return {
    count: () => count,
    enter(gameServerId) {
      const ofServer = held.get(gameServerId) ?? new Set()
      if (hasEnded || count >= max || ofServer.size >= maxPerServer) return undefined
      const controller = new AbortController()
      held.set(gameServerId, ofServer.add(controller))
      count += 1
      return { signal: controller.signal, end: () => controller.abort(), leave: () => leave(gameServerId, controller) }
    },
    endAll() {
      hasEnded = true
      for (const ofServer of held.values()) for (const controller of ofServer) controller.abort()
    },
  }
}

/** Several proxies of a network may share a token. */
const maxPerServer = 10

export interface HeldPolls {
  /** @returns undefined if the poll must not wait */
  enter(gameServerId: string): HeldPoll | undefined
  /** Ends all of them; later ones do not wait. For shutting down. */
  endAll(): void
  count(): number
}

export interface HeldPoll {
  /** Aborted when the poll must end. */
  signal: AbortSignal & CancelSignal
  end(): void
  /** Idempotent. */
  leave(): void
}
