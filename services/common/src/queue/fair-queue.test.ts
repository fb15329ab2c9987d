import { describe, expect, it } from 'vitest'
import { createFairQueue } from './fair-queue.ts'

describe('the fair queue', () => {
  it('serves keys in turn, and the tasks of one key in order', async () => {
    const { run } = createFairQueue({ concurrency: 1, maxWaiting: 10 })
    const served: string[] = []
    const tasks = ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1']
    await Promise.all(tasks.map((name) => run(callOf(name.slice(0, 1)), async () => served.push(name))))
    expect(served).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3', 'a4'])
  })

  it('runs at most `concurrency` tasks at a time, and one of each key', async () => {
    const { run } = createFairQueue({ concurrency: 2, maxWaiting: 100 })
    const running: string[] = []
    const seen = new Set<number>()
    const task = (key: string) => async () => {
      expect(running).not.toContain(key)
      running.push(key)
      seen.add(running.length)
      await new Promise(setImmediate)
      running.splice(running.indexOf(key), 1)
    }
    await Promise.all(Array.from({ length: 30 }, (_, n) => run(callOf(`${n % 3}`), task(`${n % 3}`))))
    expect(seen).toEqual(new Set([1, 2]))
  })

  it('delays no key when all tasks of another one never end', async () => {
    const { run } = createFairQueue({ concurrency: 2, maxWaiting: 100 })
    for (let n = 0; n < 3; n += 1) void run(callOf('a'), () => new Promise(() => {}))
    for (let n = 0; n < 5; n += 1) expect(await run(callOf('b'), async () => n)).toBe(n)
  })

  it('continues after a task that fails, and when it was idle', async () => {
    const { run } = createFairQueue({ concurrency: 1, maxWaiting: 10 })
    const failing = run(callOf('a'), () => Promise.reject(new Error('failed')))
    const next = run(callOf('a'), async () => 'done')
    await expect(failing).rejects.toThrow('failed')
    expect(await next).toBe('done')
    expect(await run(callOf('b'), async () => 'later')).toBe('later')
  })

  it('rejects a task of a key that has too many waiting, and of no other key', async () => {
    const { run } = createFairQueue({ concurrency: 1, maxWaiting: 2 })
    const task = () => new Promise<string>((resolve) => setImmediate(() => resolve('done')))
    const accepted = Array.from({ length: 3 }, () => run(callOf('a'), task))
    await expect(run(callOf('a'), task)).rejects.toMatchObject({ code: 'service-unavailable' })
    expect(await Promise.all([...accepted, run(callOf('b'), task)])).toHaveLength(4)
  })

  it('drops the tasks of calls that have ended, so that the key can queue again immediately', async () => {
    const { run } = createFairQueue({ concurrency: 1, maxWaiting: 2 })
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    const served: string[] = []
    const first = run(callOf('a'), () => released)
    const ended = new AbortController()
    const abandoned = [1, 2].map(() => run(callOf('a', ended), async () => served.push('abandoned')))
    ended.abort()
    abandoned.push(run(callOf('a', ended), async () => served.push('late')))
    for (const task of abandoned) await expect(task).rejects.toMatchObject({ code: 'service-unavailable' })
    const later = [1, 2].map(() => run(callOf('a'), async () => served.push('later')))
    release()
    await Promise.all([first, ...later])
    expect(served).toEqual(['later', 'later'])
  })
})

function callOf(key: string, { signal } = new AbortController()) {
  return { key, signal }
}
