import { report, type System, scaled, seededRandom, startSystem } from '@storekeep/test/kit'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type CarelessProxy, startCarelessProxy } from './careless-proxy.ts'
import { revokeThroughRedisFaults } from './redis-faults.ts'
import { createTokenWatch } from './token-watch.ts'

let proxy: CarelessProxy
let system: System
beforeAll(async () => {
  proxy = await startCarelessProxy({ acceptsForMs: 400 })
  const unlimited = {
    RATE_LIMIT_API_KEY_PER_MINUTE: '100000000',
    RATE_LIMIT_FAILED_AUTH_PER_MINUTE: '100000000',
    LOG_LEVEL: 'warn',
  }
  system = await startSystem({
    only: ['stores', 'customers'],
    gateways: [unlimited, unlimited, unlimited, { ...unlimited, CUSTOMERS_ADDRESS: proxy.address }],
    own: ['redis'],
    settings: { customers: { LOG_LEVEL: 'warn' } },
  })
  proxy.connect(system.customers.address)
})
afterAll(async () => {
  await system?.stop()
  await proxy?.stop()
})

/** Goals 1 and 6, invariants I1 and I2. */
it('accepts no token after its revocation and rejects no valid one, in every state of Redis', async () => {
  const { watch, random } = await openWatch([0, 1, 2])
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
  const { watch, random } = await openWatch([3])
  await revokeThroughRedisFaults(watch, system.infra.server('redis'), { revocations: 4, probes: 1 })
  report('revocation, protection off', {
    seed: random.seed,
    ...watch.counts,
    violations: watch.violations.length,
  })
  expect(watch.violations.length).toBeGreaterThan(0)
  expect(watch.violations.every((text) => text.includes('after the 204'))).toBe(true)
})

/** Watches tokens of a new store at some of the gateways. */
async function openWatch(gateways: readonly number[]) {
  const random = seededRandom()
  const clients = gateways.map((index) => system.openGateway(index, { checked: false }))
  const store = (await system.createStore()).through(system.openGateway(gateways[0] ?? 0, { checked: false }))
  const watch = createTokenWatch(store, clients, random)
  await watch.addValid(20)
  return { watch, random }
}
