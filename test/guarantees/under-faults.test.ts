import { setTimeout as pause } from 'node:timers/promises'
import { openShop, report, type System, seededRandom, startSystem, type TestStore, waitFor } from '@storekeep/test/kit'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { startChangeWorkload } from '../faults/change-workload.ts'
import { startRush } from '../faults/checkout-rush.ts'
import { openCouponWatch } from '../faults/coupon-watch.ts'
import { observerSchema, openObservers } from '../faults/event-observer.ts'
import { countByName, openStores, writeAll } from '../faults/keyed-writes.ts'
import { judgeDelivery } from '../faults/outbox-verdict.ts'
import { revokeThroughRedisFaults } from '../faults/redis-faults.ts'
import { newCustomerWrite, newTokenWrite } from '../faults/retrying-writer.ts'
import { expectStopToFinishRequest } from '../faults/stop-in-flight.ts'
import { createTokenWatch } from '../faults/token-watch.ts'

// The headline guarantees in a small form, on one system. test/faults proves each with larger amounts, more kinds of
// faults and a negative control.

vi.setConfig({ testTimeout: 300_000 })
const random = seededRandom()
let system: System
beforeAll(async () => {
  const gateway = {
    RATE_LIMIT_API_KEY_PER_MINUTE: '100000000',
    RATE_LIMIT_FAILED_AUTH_PER_MINUTE: '100000000',
    LOG_LEVEL: 'warn',
  }
  system = await startSystem({
    only: ['stores', 'customers', 'bans', 'coupons', 'checkout'],
    gateways: [gateway, gateway],
    own: ['nats', 'redis'],
    schemas: [observerSchema],
    settings: { customers: { LOG_LEVEL: 'warn' }, checkout: { LOG_LEVEL: 'warn', SWEEP_INTERVAL_MS: '200' } },
  })
})
afterAll(() => system.stop())

it('accepts no token after its revocation and rejects no valid one, in every state of Redis', async () => {
  const clients = system.gateways.map((_, index) => system.openGateway(index, { checked: false }))
  const store = (await system.createStore()).through(system.openGateway(0, { checked: false }))
  const watch = createTokenWatch(store, clients, random)
  await watch.addValid(5)
  let isOver = false
  const probing = Promise.all(Array.from({ length: 4 }, () => watch.keepProbing(() => isOver)))
  try {
    await revokeThroughRedisFaults(watch, system.infra.server('redis'), { revocations: 2, probes: 50 })
    await watch.revokeOne({
      during: async () => {
        await system.customers.kill('SIGKILL')
        await system.customers.restart()
      },
    })
  } finally {
    isOver = true
    await probing
  }
  report('revocation', { seed: random.seed, ...watch.counts, violations: watch.violations.length })
  expect(watch.violations).toEqual([])
  expect(watch.counts.accepted).toBeGreaterThan(50)
  expect(watch.counts.rejected).toBeGreaterThan(50)
})

it('applies a write with an idempotency key once and repeats the same response while processes are killed', async () => {
  const { stores, customerId } = await openStores(system)
  const writes = Array.from({ length: 60 }, (_, index) =>
    index % 3 === 0 ? newTokenWrite(customerId) : newCustomerWrite(),
  )
  const first = await writeAll(system, stores, writes, { keyed: true, kills: 2, random })
  const again = await writeAll(system, stores, writes, { keyed: true, kills: 0, random })
  const names = writes.flatMap(({ input }) => (input ? [input.name] : []))
  const counts = await countByName(system, names)
  report('idempotency', { seed: random.seed, attempts: first.attempts, kills: first.kills })
  expect(first.kills).toBe(2)
  expect(names.filter((name) => counts.get(name) !== 1)).toEqual([])
  expect(writes.filter(({ key }) => first.texts.get(key) !== again.texts.get(key))).toEqual([])
})

it('applies every acknowledged change exactly once although the relay and NATS are killed', async () => {
  const nats = system.infra.server('nats')
  const observers = await openObservers(system)
  const stopObserving = observers.observe('exact')
  const clients = [0, 1].map((index) => system.openGateway(index, { checked: false }))
  const store = await system.createStore()
  const workload = startChangeWorkload(store, clients, random)
  await workload.more(20)
  await system.customers.kill('SIGKILL')
  await system.customers.restart()
  await workload.more(20)
  await nats.kill('SIGKILL')
  await workload.more(20)
  await nats.restart()
  await workload.more(20)
  await workload.stop()
  const verdict = await judgeDelivery(system, store.id, workload, observers, 'exact')
  await stopObserving()
  await observers.close()
  report('events', { seed: random.seed, acknowledged: workload.acknowledged.size, applied: verdict.applied.length })
  expect(verdict.missing).toEqual([])
  expect(verdict.repeated).toEqual([])
  expect(verdict.applied).toEqual(verdict.published)
})

it('never grants a coupon beyond its limit and loses no redemption while checkout and coupons are killed', async () => {
  const limit = 5
  const store = await system.createStore()
  const shop = openShop(store)
  const customers = await Promise.all(Array.from({ length: 8 }, () => shop.customer()))
  const { id: couponId } = await shop.coupon({ redeem_limit_store_enabled: true, redeem_limit_store_amount: limit })
  const watch = await openCouponWatch(system.address.adminUrl, { storeId: store.id, couponId })
  const shops = Array.from({ length: 6 }, (_, index): TestStore => {
    return store.through(system.openGateway(index % 2, { checked: false }))
  })
  const customerIds = customers.map(({ id }) => id)
  const rush = startRush(system, { shops, couponId, customerIds, random })
  let most = 0
  let isOver = false
  const watching = (async () => {
    for (; !isOver; await pause(50)) most = Math.max(most, await watch.granted())
  })()
  for (const victim of [system.coupons, system.checkout]) {
    await rush.more(10)
    await victim.kill('SIGKILL')
    await victim.restart()
  }
  await rush.until('the coupon to be exhausted', ({ exhausted }) => exhausted > 5 && most >= limit)
  await rush.stop()
  isOver = true
  await watching
  // Reservations of requests that died are released after 20 s.
  const balance = await waitFor(
    'every reservation to be settled',
    async () => {
      const now = await watch.balance()
      return now.pending === 0 && now.orphans === 0 && now
    },
    { timeoutMs: 120_000 },
  )
  await watch.close()
  report('coupon limit', { seed: random.seed, limit, 'most granted': most, ...rush.counts })
  expect(most).toBeLessThanOrEqual(limit)
  expect(balance).toMatchObject({ pending: 0, orphans: 0, unconfirmed: 0 })
  expect([balance.counter, balance.ledger]).toEqual([balance.sessions, balance.sessions])
})

it('finishes the request in flight on SIGTERM and exits with code 0', async () => {
  await expectStopToFinishRequest(system, await system.createStore(), system.customers)
})
