import type { Database } from './database.ts'

/**
 * The same database with at most so many transactions at a time; more wait for their turn, in order. For work in the
 * background, which must leave connections of the pool to those who wait for an answer.
 */
export function limitTransactions(database: Database, most: number): Database {
  const waiting: (() => void)[] = []
  let running = 0

  async function begin(): Promise<void> {
    if (running < most) running += 1
    else await new Promise<void>((resolve) => waiting.push(resolve))
  }

  /** Hands its place over, so that nobody else can take it in between. */
  function end(): void {
    const next = waiting.shift()
    if (next) next()
    else running -= 1
  }

  return {
    ...database,
    async transaction(work) {
      await begin()
      try {
        return await database.transaction(work)
      } finally {
        end()
      }
    },
  }
}
