import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { maxAnswerLength } from '../domain/limits.ts'
import { createPatternEngine, type PatternEngine, type StoreCall } from './pattern-engine.ts'

const engine = createPatternEngine({ compileMs: 200, matchMs: 50 })
afterAll(() => engine.close())

const { signal } = new AbortController()
const store1 = { storeId: '1', signal }
const store2 = { storeId: '2', signal }

/** Some 80,000 instructions, all of them active at each character: seconds for the longest answer. */
const slowPattern = `${'(?:.?){1000}'.repeat(40)}[!?]$`
const longAnswer = 'a'.repeat(maxAnswerLength)

describe('the pattern engine', () => {
  it('reports why a pattern is invalid', async () => {
    expect(await engine.check(store1, '^[a-z]+$')).toBeUndefined()
    expect(await engine.check(store1, '(?=a)')).toBe('must be a regular expression in RE2 syntax')
  })

  it('matches an answer', async () => {
    expect(await matchOne(engine, store1, '^a+$', 'aa')).toBe('match')
    expect(await matchOne(engine, store1, '^a+$', 'ab')).toBe('mismatch')
  })

  it('stops a match at its CPU limit while timers still fire, and continues with the next', async () => {
    let ticks = 0
    let isOver = false
    const slow = matchOne(engine, store1, slowPattern, longAnswer).finally(() => {
      isOver = true
    })
    for (; !isOver; ticks += 1) await pause(1)
    expect(await slow).toBe('timeout')
    expect(ticks).toBeGreaterThan(10)
    expect(await matchOne(engine, store1, '^a+$', 'aa')).toBe('match')
  })

  it('lets no store delay another one, however slow its patterns are', async () => {
    const patient = createPatternEngine({ compileMs: 60_000, matchMs: 60_000 })
    const hostile = Array.from({ length: 3 }, () => matchOne(patient, store1, slowPattern.repeat(2), longAnswer))
    const failed = Promise.all(hostile.map((job) => expect(job).rejects.toMatchObject({ code: 'service-unavailable' })))
    for (let n = 0; n < 10; n += 1) {
      expect(await patient.check(store2, `^a{${n}}$`)).toBeUndefined()
      expect(await matchOne(patient, store2, `^a{${n}}$`, 'a'.repeat(n))).toBe('match')
    }
    await patient.close()
    await failed
  })

  it('delays an order of another store with several patterns by one slow match when all threads are in use', async () => {
    // On a busy machine the 20 matches can take longer than a usual turn.
    const patient = createPatternEngine({ threads: 1, compileMs: 200, matchMs: 50, turnMs: 60_000 })
    const order: string[] = []
    const slow = Array.from({ length: 3 }, async () => {
      await matchOne(patient, store1, slowPattern, longAnswer)
      order.push('slow')
    })
    const pairs = Array.from({ length: 20 }, (_, n) => ({ pattern: '^a+$', answer: 'a'.repeat(n) }))
    const matched = await patient.match(store2, pairs)
    order.push('fast')
    await Promise.all(slow)
    await patient.close()
    expect(order.indexOf('fast')).toBe(1)
    expect(matched).toEqual(pairs.map((pair, n) => ({ ...pair, result: n === 0 ? 'mismatch' : 'match' })))
  })

  it('interrupts an order whose matches are slow, so that other stores get a turn', async () => {
    const single = createPatternEngine({ threads: 1, compileMs: 200, matchMs: 50 })
    const order: string[] = []
    const slow = single.match(store1, Array(3).fill({ pattern: slowPattern, answer: longAnswer }))
    void slow.then(() => order.push('slow'))
    await matchOne(single, store2, '^a+$', 'aa')
    order.push('fast')
    expect((await slow).map(({ result }) => result)).toEqual(['timeout', 'timeout', 'timeout'])
    expect(order).toEqual(['fast', 'slow'])
    await single.close()
  })

  it('rejects a pattern that takes too long to compile', async () => {
    const impatient = createPatternEngine({ compileMs: 60, matchMs: 50 })
    expect(await impatient.check(store1, `(?i)[${'b-\u{1E942}'.repeat(160)}]`)).toContain('too much time')
    expect(await impatient.check(store1, '^a$')).toBeUndefined()
    await impatient.close()
  })

  it('fails to start when the thread cannot load', async () => {
    const missing = createPatternEngine({ workerFile: new URL('missing.ts', import.meta.url) })
    await expect(missing.start()).rejects.toThrow('missing.ts')
  })

  it('survives an error of the thread between two jobs', async () => {
    const failing = engineWith(`parentPort.postMessage(reply); if (job.pattern === 'fail') throw new Error('late')`)
    // On a busy machine, the error can arrive before the reply and fail this job, too.
    await matchOne(failing, store1, 'fail', 'a').catch(() => undefined)
    await vi.waitFor(async () => expect(await matchOne(failing, store1, 'a', 'a')).toBe('match'), { timeout: 60_000 })
    await failing.close()
  })

  it('fails the job during which the thread exits, and continues with the next', async () => {
    const exiting = engineWith(`job.pattern === 'exit' ? process.exit(0) : parentPort.postMessage(reply)`)
    await expect(matchOne(exiting, store1, 'exit', 'a')).rejects.toMatchObject({ code: 'service-unavailable' })
    expect(await matchOne(exiting, store1, 'a', 'a')).toBe('match')
    await exiting.close()
  })

  it.each([
    ['starts', false],
    ['runs a job', true],
  ])('stops a thread that %s when the engine is closed', async (_, waitsForJob) => {
    const closing = engineWith(`new BroadcastChannel('job').postMessage('started'); for (;;);`, { compileMs: 600_000 })
    const channel = new BroadcastChannel('job')
    const jobStarted = new Promise((resolve) => channel.addEventListener('message', resolve))
    const jobs = [1, 2].map(() => matchOne(closing, store1, 'a', 'a'))
    const failed = Promise.all(jobs.map((job) => expect(job).rejects.toMatchObject({ code: 'service-unavailable' })))
    if (waitsForJob) await jobStarted
    await closing.close()
    await failed
    channel.close()
  })
})

async function matchOne({ match }: PatternEngine, call: StoreCall, pattern: string, answer: string) {
  const [matched] = await match(call, [{ pattern, answer }])
  return matched?.result
}

/** An engine with a worker whose JavaScript `onJob` receives `job` and may post `reply`. */
function engineWith(onJob: string, options: { compileMs?: number } = {}) {
  const code = `import { parentPort } from 'node:worker_threads'
    const reply = { problem: undefined, isMatch: true, cpuMs: 0 }
    parentPort.on('message', (job) => { ${onJob} })
    parentPort.postMessage(reply)`
  return createPatternEngine({ ...options, workerFile: new URL(`data:text/javascript,${encodeURIComponent(code)}`) })
}
