/** Records what the plugins of a test saw, to judge the deliveries. Times are of one monotonic clock, in milliseconds. */
export function createJournal(): Journal {
  const givenOut: GivenOut[] = []
  const executions: Execution[] = []
  const acknowledgedAt = new Map<string, number>()
  return {
    givenOut: (one) => void (one.ids.length > 0 && givenOut.push(one)),
    executed: (one) => void executions.push(one),
    acknowledged({ ids, receivedAt }) {
      for (const id of ids) if (!acknowledgedAt.has(id)) acknowledgedAt.set(id, receivedAt)
    },
    executions: () => executions,
    acknowledgedIds: () => [...acknowledgedAt.keys()],
    givenOutAfterAcknowledgement() {
      return givenOut.flatMap(({ ids, sentAt }) => ids.filter((id) => (acknowledgedAt.get(id) ?? Infinity) < sentAt))
    },
    givenOutWithinLease(leaseMs) {
      const earliestSentAt = new Map<string, number>()
      const early: string[] = []
      for (const { ids, sentAt, receivedAt } of givenOut.toSorted((a, b) => a.receivedAt - b.receivedAt)) {
        for (const id of ids) {
          // The lease begins after the request was sent, so this one has not ended when the second response arrives.
          const before = earliestSentAt.get(id)
          if (before !== undefined && receivedAt < before + leaseMs) early.push(id)
          earliestSentAt.set(id, sentAt)
        }
      }
      return early
    },
  }
}

interface GivenOut {
  plugin: string
  ids: readonly string[]
  sentAt: number
  receivedAt: number
}

export interface Execution {
  plugin: string
  /** Id of the attempt. */
  id: string
  command: string
}

export interface Journal {
  givenOut(one: GivenOut): void
  executed(one: Execution): void
  acknowledged(one: { ids: readonly string[]; receivedAt: number }): void
  executions(): readonly Execution[]
  acknowledgedIds(): string[]
  /** Ids that a poll got although an acknowledgement had succeeded before the poll began. */
  givenOutAfterAcknowledgement(): string[]
  /** Ids that two polls got in less than `leaseMs`, whatever the delays of their requests. */
  givenOutWithinLease(leaseMs: number): string[]
}
