import { vi } from 'vitest'

/** Resolves with the first result of `poll` that is not undefined. */
export async function until<T>(poll: () => Promise<T | undefined>, timeout = 60_000): Promise<T> {
  return await vi.waitFor(
    async () => {
      const result = await poll()
      if (result === undefined) throw new Error('The condition was not met in time.')
      return result
    },
    { timeout, interval: 20 },
  )
}
