import { describe, expect, it } from 'vitest'
import { createPeriodicTask } from '../src/lifecycle/index.ts'
import { createLogger } from '../src/log/index.ts'

const log = createLogger({ service: 'test', level: 'silent' })

describe('a periodic task', () => {
  it('runs repeatedly, also after a failure, and never concurrently', async () => {
    let [runs, atOnce, most] = [0, 0, 0]
    const task = createPeriodicTask({
      name: 'test',
      everyMs: 1,
      log,
      async run() {
        runs += 1
        atOnce += 1
        most = Math.max(most, atOnce)
        await new Promise((resolve) => setTimeout(resolve, 3))
        atOnce -= 1
        if (runs % 2 === 0) throw new Error('failed')
      },
    })
    task.start()
    task.start()
    await expect.poll(() => runs).toBeGreaterThan(5)
    await task.stop()
    expect(most).toBe(1)
  })

  it('stops after the current run, which can see that it should stop', async () => {
    const { promise: started, resolve: begin } = Promise.withResolvers<void>()
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    let [runs, ended] = [0, false]
    const task = createPeriodicTask({
      name: 'test',
      everyMs: 1,
      log,
      async run(isStopping) {
        runs += 1
        begin()
        await released
        ended = isStopping()
      },
    })
    task.start()
    await started
    const stopped = task.stop()
    release()
    await stopped
    expect([runs, ended]).toEqual([1, true])
  })
})
