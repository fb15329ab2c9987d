import { report, type System, scaled, seededRandom, startSystem } from '@storekeep/test/kit'
import { afterEach, expect, it } from 'vitest'
import { type AcceptCache, startAcceptCache } from './accept-cache.ts'
import { revokeThroughRedisFaults } from './redis-faults.ts'
import { createTokenWatch } from './token-watch.ts'

const stops: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop()
})

/** Goals 1 and 6, invariants I1 and I2. */
it('accepts no token after its revocation and rejects no valid one, in every state of Redis', async () => {
  const { watch, system, random } = await startWatching({ gateways: 3 })
  let isOver = false
  const probing = Promise.all(Array.from({ length: 9 }, () => watch.keepProbing(() => isOver)))
  try {
    await revokeThroughRedisFaults(watch, system.infra.server('redis'), {
      revocations: scaled(10),
      probes: scaled(850),
    })
    watch.enter('customers killed during a revocation')
    for (let round = 0; round < 3; round++) {
      await watch.revokeOne({
        during: async () => {
          await system.customers.kill('SIGKILL')
          await system.customers.restart()
        },
      })
    }
  } finally {
    isOver = true
    await probing
  }
  report('revocation', { seed: random.seed, ...watch.counts, violations: watch.violations.length })
  expect(watch.violations).toEqual([])
  expect(watch.counts.probes).toBeGreaterThanOrEqual(scaled(5_000))
  expect(watch.counts.accepted).toBeGreaterThan(scaled(500))
  expect(watch.counts.rejected).toBeGreaterThan(scaled(500))
})

/** Negative control: the watch detects a cache of accepted tokens with a lifetime of 400 ms. */
it('reports violations when accepted tokens are cached', async () => {
  let cache: AcceptCache | undefined
  const { watch, system, random } = await startWatching({
    gateways: 1,
    customersAddress: async (customers) => {
      cache = await startAcceptCache(customers, 400)
      stops.push(() => (cache as AcceptCache).stop())
      return cache.address
    },
  })
  await revokeThroughRedisFaults(watch, system.infra.server('redis'), { revocations: 4, probes: 1 })
  report('revocation, protection off', {
    seed: random.seed,
    ...watch.counts,
    violations: watch.violations.length,
  })
  expect(watch.violations.length).toBeGreaterThan(0)
  expect(watch.violations.every((text) => text.includes('after the 204'))).toBe(true)
})

async function startWatching({ gateways, customersAddress }: Watched) {
  const unlimited = {
    RATE_LIMIT_API_KEY_PER_MINUTE: '100000000',
    RATE_LIMIT_FAILED_AUTH_PER_MINUTE: '100000000',
    LOG_LEVEL: 'warn',
  }
  const system: System = await startSystem({
    only: ['stores', 'customers'],
    gateways: Array.from({ length: gateways }, () => unlimited),
    own: ['redis'],
    settings: { customers: { LOG_LEVEL: 'warn' } },
    ...(customersAddress && { customersAddress }),
  })
  stops.push(() => system.stop())
  const random = seededRandom()
  const clients = system.gateways.map((_, index) => system.openGateway(index, { checked: false }))
  const store = (await system.createStore()).through(system.openGateway(0, { checked: false }))
  const watch = createTokenWatch(store, clients, random)
  await watch.addValid(20)
  return { watch, system, random }
}

interface Watched {
  gateways: number
  /** Replaces the address of the customers service that the gateways call. */
  customersAddress?: (actual: string) => Promise<string>
}
