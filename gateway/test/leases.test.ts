import { windowMs } from '@storekeep/common/http'
import { createLogger } from '@storekeep/common/log'
import { createRedis, defineScript, type Redis, type RedisScript } from '@storekeep/common/redis'
import { createMetrics } from '@storekeep/common/telemetry'
import { requireEnv } from '@storekeep/common/testing'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createLimiter, type Limiter } from '../src/limits/limiter.ts'
import { slidingWindowScript } from '../src/limits/sliding-window-script.ts'
import { newKeyPrefix } from './harness.ts'

/**
 * Limiters of several gateways with one real Redis. Time is simulated for both, so that a test covers minutes: the script
 * reads the time from its arguments.
 */
const log = createLogger({ service: 'test', level: 'silent' })
let redis: Redis
beforeAll(async () => {
  redis = createRedis({ url: requireEnv('TEST_REDIS_URL'), keyPrefix: newKeyPrefix(), commandTimeoutMs: 10_000, log })
  await vi.waitFor(() => expect(redis.isReady()).toBe(true), 60_000)
})
afterAll(() => redis.close())

let lastKey = 0
const turn = () => new Promise((resolve) => setImmediate(resolve))

function simulate({ gateways = 3, quota = 6000, script = (text: string) => text }: Simulation = {}) {
  const timed = defineScript(
    script(slidingWindowScript.text)
      .replace("redis.call('TIME')", '{ ARGV[#ARGV - 1], ARGV[#ARGV] }')
      .replace('position < #ARGV', 'position < #ARGV - 2'),
  )
  const start = 1_800_000_000_000
  let time = start
  let calls = 0
  let isDown = false
  let held: { at: number; release(): void }[] = []
  let running = 0
  const grantedAt: number[] = []
  let rejected = 0
  const key = `key ${++lastKey}`

  /** @param delayMs until the command reaches Redis */
  async function run(_script: RedisScript, keys: readonly string[], args: readonly (string | number)[], delayMs = 0) {
    calls += 1
    if (isDown) throw new Error('unavailable')
    if (delayMs > 0) await new Promise<void>((release) => held.push({ at: time + delayMs, release }))
    running += 1
    try {
      return await redis.run(timed, keys, [...args, Math.floor(time / 1000), (time % 1000) * 1000])
    } finally {
      running -= 1
    }
  }
  const metrics = createMetrics({ service: 'test' })
  const limiters: Limiter[] = Array.from({ length: gateways }, (_, index) =>
    createLimiter({
      redis: { run: (...given) => run(...given, delayOf(index)), slotOf: () => 0 },
      replicas: gateways,
      limited: metrics.counter(`limited_${index}`, 'x', ['policy']),
      fallbacks: metrics.counter(`fallbacks_${index}`, 'x', ['use']),
      monotonicMs: () => time - start + 1000 * index,
    }),
  )
  let delays: readonly number[] = []
  const delayOf = (index: number) => delays[index] ?? 0

  /** Waits until all that can happen without the time moving has happened: a response may cause another command. */
  async function settle(): Promise<void> {
    do {
      for (let turns = 0; turns < 4; turns += 1) await turn()
    } while (running > 0)
  }

  return {
    grantedAt,
    calls: () => calls,
    rejected: () => rejected,
    setDown(down: boolean) {
      isDown = down
    },
    setDelays(next: readonly number[]) {
      delays = next
    },
    /** Moves the time in steps, at which held commands reach Redis. */
    async advance(ms: number) {
      const end = time + ms
      while (time < end) {
        const next = Math.min(end, ...held.map(({ at }) => at))
        time = Math.max(time, next)
        const due = held.filter(({ at }) => at <= time)
        held = held.filter(({ at }) => at > time)
        for (const { release } of due) release()
        if (due.length > 0) await settle()
        if (next === end) break
      }
    },
    /** Makes requests through one gateway, in one turn of the event loop. */
    async send(gateway: number, count = 1, subject = key) {
      for (let sent = 0; sent < count; sent += 1) {
        const taken = limiters[gateway]?.take([{ policy: 'p', key: subject, quota, leased: true }])
        void Promise.resolve(taken).then((result) => {
          if (result?.rejected) rejected += 1
          else grantedAt.push(time - start)
        })
      }
      await settle()
    },
  }
}

interface Simulation {
  gateways?: number
  quota?: number
  /** Changes the script, for negative controls. */
  script?: (text: string) => string
}

/** The most requests that were granted within any 60 seconds. */
function peak(grantedAt: readonly number[]): number {
  const sorted = [...grantedAt].sort((a, b) => a - b)
  let first = 0
  let most = 0
  for (const [index, at] of sorted.entries()) {
    while ((sorted[first] ?? at) <= at - windowMs) first += 1
    most = Math.max(most, index - first + 1)
  }
  return most
}

describe('leases of several gateways', () => {
  const step = fc.record({
    waitMs: fc.oneof(fc.integer({ min: 0, max: 250 }), fc.integer({ min: 0, max: 20_000 })),
    gateway: fc.nat(2),
    count: fc.oneof(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 900 })),
    delays: fc.array(fc.nat(50), { minLength: 3, maxLength: 3 }),
  })

  it('never grant more than the quota within 60 seconds, under any load', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 60 }), async (steps) => {
        const simulation = simulate({ quota: 1500 })
        for (const { waitMs, gateway, count, delays } of steps) {
          await simulation.advance(waitMs)
          simulation.setDelays(delays)
          await simulation.send(gateway, count)
        }
        await simulation.advance(100)
        expect(peak(simulation.grantedAt)).toBeLessThanOrEqual(1500)
      }),
      { numRuns: 20, endOnFailure: true },
    )
  })

  /** Takes leases at the end of a slot, spends them in the next, and asks for the whole quota when the first has left. */
  async function spendLate(given: Simulation): Promise<number> {
    const simulation = simulate(given)
    await simulation.advance(800)
    for (const gateway of [0, 1, 2]) await simulation.send(gateway, 10)
    await simulation.advance(190)
    for (const gateway of [0, 1, 2]) await simulation.send(gateway, 10)
    await simulation.advance(15)
    for (const gateway of [0, 1, 2]) await simulation.send(gateway, 10)
    await simulation.advance(170)
    for (const gateway of [0, 1, 2]) await simulation.send(gateway, 5)
    await simulation.advance(61_000 - 1175)
    for (const gateway of [0, 1, 2]) await simulation.send(gateway, 6000)
    return peak(simulation.grantedAt)
  }

  it.each<[string, Simulation, boolean]>([
    ['never grant more than the quota', {}, false],
    [
      'grant more if a lease counts when it is taken (negative control)',
      { script: (text) => text.replace('spare > 0 and counter.leaseSlot or counter.slot', 'counter.slot') },
      true,
    ],
  ])('spent at the end of their time, %s', async (_, given, exceeds) => {
    expect((await spendLate(given)) > 6000).toBe(exceeds)
  })

  it('let a steady caller use nearly the whole quota', async () => {
    const simulation = simulate()
    // 95 per second of the 100 that the quota allows.
    for (let n = 0; n < 130 * 19; n += 1) {
      await simulation.send(n % 3, 5)
      await simulation.advance(1000 / 19)
    }
    expect(simulation.rejected()).toBe(0)
    expect(simulation.calls()).toBeLessThan((130 * 95) / 4)
  })

  it('return what a caller did not spend', async () => {
    const simulation = simulate({ gateways: 1 })
    for (let n = 0; n < 100; n += 1) {
      await simulation.send(0, 10)
      await simulation.send(0, 1)
      await simulation.advance(250)
    }
    await simulation.send(0, 6000)
    expect(simulation.grantedAt).toHaveLength(6000)
  })

  it('grant no more than the quota when Redis fails and returns within the window', async () => {
    const simulation = simulate({ gateways: 2 })
    const sendBoth = async (times: number) => {
      for (let n = 0; n < times; n += 1) {
        for (const gateway of [0, 1]) await simulation.send(gateway, 5)
        await simulation.advance(20)
      }
    }
    await sendBoth(300)
    simulation.setDown(true)
    await sendBoth(100)
    simulation.setDown(false)
    await sendBoth(400)
    expect(simulation.grantedAt.length).toBeLessThanOrEqual(1.01 * 6000)
    expect(simulation.grantedAt.length).toBeGreaterThanOrEqual(0.95 * 6000)
  })

  it('cost one Redis call for all requests of a turn, of any key', async () => {
    const simulation = simulate()
    const sent = Array.from({ length: 30 }, (_, n) => simulation.send(0, 1, `other ${n % 10}`))
    await Promise.all(sent)
    expect(simulation.calls()).toBe(1)
    expect(simulation.grantedAt).toHaveLength(30)
  })
})
