import { backOff, type HttpClient, type SeededRandom, type TestStore, waitFor } from '@storekeep/test/kit'

/**
 * Creates and changes customers continuously, even during outages. Each change writes a unique mark into the customer; the
 * marks of acknowledged changes are recorded.
 */
export function startChangeWorkload(
  store: TestStore,
  clients: readonly HttpClient[],
  random: SeededRandom,
): ChangeWorkload {
  const acknowledged = new Map<string, Mark>()
  const listeners: ((mark: Mark) => void)[] = []
  let isOver = false
  let failed = 0
  let next = 0

  async function writeOn(http: HttpClient): Promise<void> {
    const own = store.through(http)
    let customerId: string | undefined
    while (!isOver) {
      next += 1
      const mark = `mark-${next}`
      const isNew = customerId === undefined || random.below(4) === 0
      const input = { name: `Customer of ${mark}`, metadata: { mark } }
      const response = await (isNew
        ? own.post<{ id: string }>('/customers', input)
        : own.patch<{ id: string }>(`/customers/${customerId}`, input)
      ).catch(() => undefined)
      if (response?.status !== 200) {
        failed += 1
        await backOff()
        continue
      }
      customerId = response.body.id
      acknowledged.set(mark, { mark, customerId })
      for (const listener of listeners) listener({ mark, customerId })
    }
  }

  const running = Promise.all(clients.map(writeOn))
  return {
    acknowledged,
    failedCount: () => failed,
    onAcknowledged: (listener) => void listeners.push(listener),
    more: async (count) => {
      const goal = acknowledged.size + count
      await waitFor(`${count} more changes`, () => acknowledged.size >= goal, { timeoutMs: 60_000 })
    },
    stop: async () => {
      isOver = true
      await running
    },
  }
}

export interface Mark {
  mark: string
  customerId: string
}

export interface ChangeWorkload {
  readonly acknowledged: ReadonlyMap<string, Mark>
  failedCount(): number
  onAcknowledged(listener: (mark: Mark) => void): void
  /** Resolves when `count` more changes are acknowledged. */
  more(count: number): Promise<void>
  stop(): Promise<void>
}
