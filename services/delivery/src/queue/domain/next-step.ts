/** What a process remembers about the queue of a game server. */
export type QueueView =
  | { isKnown: false }
  | {
      isKnown: true
      /** Whether a command for everybody is available. */
      isDue: boolean
      /** Whether a command that waits for its player is available. */
      isOnlineDue: boolean
      /** Identifies the state of the queue. */
      changedAt: number
      /** In how many milliseconds another command becomes available; infinite if none does. */
      nextInMs: number
    }

/**
 * What a poll does next:
 * - `give-out`: leases what is available. It may be nothing, if the queue is unknown or another poll was faster.
 * - `check-players`: queries whether a command waits for one of its players, and leases only then. Usually the players for whom commands
 *   wait are offline, and finding that out needs no lock.
 * - `wait`: nothing is available.
 */
export type NextStep = { action: 'give-out' | 'wait' } | { action: 'check-players'; changedAt: number }

/**
 * Decides what a poll does next.
 * @param players `any`: it also fetches commands of players who may be offline; `absent`: none of its players is known to have commands
 */
export function nextStep(queue: QueueView, players: 'any' | 'some' | 'none' | 'absent'): NextStep {
  if (!queue.isKnown || queue.isDue) return { action: 'give-out' }
  if (!queue.isOnlineDue) return { action: 'wait' }
  if (players === 'any') return { action: 'give-out' }
  return players === 'some' ? { action: 'check-players', changedAt: queue.changedAt } : { action: 'wait' }
}

/**
 * How long a poll waits before it decides again, in milliseconds. It is woken earlier when the queue changes.
 * @param leftMs how long the poll may still wait
 */
export function pauseMs(queue: QueueView, leftMs: number): number {
  const untilNext = queue.isKnown ? Math.min(queue.nextInMs, maxPauseMs) : minPauseMs
  return Math.min(leftMs, Math.max(minPauseMs, untilNext))
}

const minPauseMs = 50
/** A command of an absent player may become available without a change of the queue. */
const maxPauseMs = 1000
