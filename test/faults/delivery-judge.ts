import type { Behavior, Received, Receiver } from '../../services/webhooks/test/receiver.ts'

/** Decides what the paths of a receiver respond, and judges what they got. */
export function createJudge(receiver: () => Receiver) {
  /** The successful requests of each path. */
  const accepted = new Map<string, Received[]>()

  /** Makes a path respond as chosen and remember what it accepted. */
  function behave(path: string, choose: (attempt: number) => Behavior): void {
    accepted.set(path, [])
    receiver().behave(path, (received, attempt) => {
      const behavior = choose(attempt)
      if ('status' in behavior && behavior.status === 200) accepted.get(path)?.push(received)
      return behavior
    })
  }

  function judge({ path }: { path: string }) {
    const received = receiver().received(path)
    const taken = accepted.get(path) ?? []
    const bodies = Map.groupBy(received, ({ id }) => id)
    const sequences = Map.groupBy(received, ({ payload }) => payload.data.id)
    const versions = [...sequences.values()].map((all) => all.map(({ payload }) => Number(payload.data.reason)))
    return {
      events: new Set(taken.map(({ id }) => id)).size,
      requests: received.length,
      /** Ids with more than one body. */
      mixedUp: [...bodies.values()].filter((all) => new Set(all.map(({ body }) => body)).size > 1).length,
      /** Requests with an earlier version of a record than the one before. */
      outOfOrder: versions.flatMap((all) => all.filter((version, index) => version < (all[index - 1] ?? 0))).length,
    }
  }

  return { behave, judge }
}
