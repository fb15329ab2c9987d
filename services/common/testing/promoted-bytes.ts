import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/**
 * Measures how many bytes of finished work are left behind in the old generation, which only full collections clean up. What
 * work allocates should be gone after the next minor collection.
 *
 * @param work done `rounds` times after a warm-up, each time followed by minor collections
 * @returns the growth of the old generation in bytes per round
 */
export async function promotedBytes(rounds: number, work: () => unknown): Promise<number> {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as (options?: { type: 'minor' }) => void
  async function repeat(times: number): Promise<void> {
    for (let round = 0; round < times; round += 1) {
      await work()
      // What survives two of them is promoted.
      for (let time = 0; time < 3; time += 1) collect({ type: 'minor' })
    }
  }
  await repeat(Math.ceil(rounds / 4))
  collect()
  const before = oldGenerationBytes()
  await repeat(rounds)
  return (oldGenerationBytes() - before) / rounds
}

function oldGenerationBytes(): number {
  return getHeapSpaceStatistics()
    .filter(({ space_name }) => !space_name.startsWith('new'))
    .reduce((sum, { space_used_size }) => sum + space_used_size, 0)
}
