import { setTimeout as pause } from 'node:timers/promises'
import {
  backOff,
  fresh,
  openShop,
  report,
  type System,
  scaled,
  seededRandom,
  startSystem,
  type TestStore,
  waitFor,
} from '@storekeep/test/kit'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { startRush } from './checkout-rush.ts'
import { startSwaps } from './coupon-swaps.ts'
import { type CouponWatch, openCouponWatch } from './coupon-watch.ts'

let system: System
const stops: (() => Promise<unknown>)[] = []
beforeAll(async () => {
  system = await start({ sweepIntervalMs: 200 })
})
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop()
})
afterAll(() => system.stop())

/** At every scale, so that some sessions end in every way before the coupon is used up. */
const limit = Math.max(12, scaled(12))

/** The production guarantee. */
it('grants no coupon beyond its limit and loses no reservation while processes are killed', async () => {
  const { random, rush, watch, maxGranted } = await startRushOn(system, { limited: true })
  for (let round = 0; round < scaled(4); round += 1) {
    const victim = random.pick([system.checkout, system.coupons])
    await rush.more(random.below(20) + 5)
    await victim.kill('SIGKILL')
    await victim.restart()
  }
  await rush.until(
    'the coupon to be exhausted after sessions have ended in every way',
    ({ exhausted, created, completed, contested }) =>
      exhausted > 20 && maxGranted() >= limit && created > limit && completed > 0 && contested > 0,
  )
  await rush.stop()
  const balance = await settled(watch)
  report('checkout saga', { seed: random.seed, limit, 'most granted': maxGranted(), ...rush.counts, ...balance })
  expect(maxGranted()).toBeLessThanOrEqual(limit)
  expect(balance).toMatchObject({ pending: 0, orphans: 0, unconfirmed: 0 })
  expect([balance.counter, balance.ledger]).toEqual([balance.sessions, balance.sessions])
  expect(rush.counts.created).toBeGreaterThan(limit)
  expect(rush.counts.completed).toBeGreaterThan(0)
  expect(rush.counts.contested).toBeGreaterThan(0)
})

/** The negative controls: the watch detects a missing limit and a missing sweeper. */
it('negative control: without a limit the coupon is granted more often than the limit', async () => {
  const { random, rush, maxGranted } = await startRushOn(system, { limited: false })
  await waitFor('more than the limit', () => maxGranted() > limit, { timeoutMs: Math.max(60_000, scaled(60_000)) })
  await rush.stop()
  report('checkout saga, without a limit', { seed: random.seed, limit, 'most granted': maxGranted(), ...rush.counts })
  expect(maxGranted()).toBeGreaterThan(limit)
})

it('negative control: without the sweeper the kills leave reservations without a session', async () => {
  const unswept = await start({ sweepIntervalMs: 60_000 })
  stops.push(() => unswept.stop())
  const { random, rush, watch } = await startRushOn(unswept, { limited: false })
  let pending = 0
  let rounds = 0
  while (pending === 0 && rounds < 20) {
    rounds += 1
    await rush.more(10)
    await unswept.checkout.kill('SIGKILL')
    pending = (await watch.balance()).pending
    await unswept.checkout.restart()
  }
  await rush.stop()
  report('checkout saga, without a sweeper', { seed: random.seed, rounds, pending })
  expect(pending).toBeGreaterThan(0)
})

/** The production guarantee. */
it('grants a coupon of limit 1 to one of the shoppers who swap it on their pages while processes are killed', async () => {
  const { random, swaps, watches, maxGranted, freeCode } = await startSwapsOn(system, { limited: true })
  for (let round = 0; round < scaled(4); round += 1) {
    const { applied } = swaps.counts
    await swaps.until('more swaps', (now) => now.applied >= applied + 10)
    const victim = random.pick([system.checkout, system.coupons])
    await victim.kill('SIGKILL')
    await victim.restart()
  }
  // Checkout removes coupons without the coupons service, and must release each of them later.
  await swaps.removeDuring(async (removeAll) => {
    await system.coupons.kill('SIGKILL')
    await removeAll()
    await system.coupons.restart()
  }, freeCode)
  await swaps.until('every outcome', (now) => now.exhausted > 10 && now.removed > 5 && maxGranted() === 1)
  await swaps.stop()
  const balances = await Promise.all(watches.map(settled))
  report('coupon swaps', { seed: random.seed, 'most granted': maxGranted(), ...swaps.counts, ...balances[0] })
  expect(maxGranted()).toBe(1)
  for (const { counter, ledger, sessions } of balances) expect([counter, ledger]).toEqual([sessions, sessions])
})

it('negative control: without a limit several shoppers have the coupon at the same time', async () => {
  const { random, swaps, maxGranted } = await startSwapsOn(system, { limited: false })
  await waitFor('two shoppers with the coupon', () => maxGranted() > 1, { timeoutMs: 60_000 })
  await swaps.stop()
  report('coupon swaps, without a limit', { seed: random.seed, 'most granted': maxGranted(), ...swaps.counts })
})

/** The production guarantee. */
it('accepts no order of a banned customer once the ban is created, even while bans is killed', async () => {
  const { random, late, counts } = await sellDuringBans(Math.max(4, scaled(8)), (customerId) => customerId)
  report('checkout bans', { seed: random.seed, ...counts, 'sold after the ban': late })
  expect(late).toBe(0)
  expect(counts.sold).toBeGreaterThan(50)
  expect(counts.banned).toBeGreaterThan(50)
  expect(counts.unavailable).toBeGreaterThan(0)
})

it('negative control: bans of another customer do not stop the orders', async () => {
  const { random, late, counts } = await sellDuringBans(4, () => '7')
  report('checkout bans, of another customer', { seed: random.seed, ...counts, 'sold after the ban': late })
  expect(late).toBeGreaterThan(0)
})

function start({ sweepIntervalMs }: { sweepIntervalMs: number }): Promise<System> {
  const gateway = { RATE_LIMIT_API_KEY_PER_MINUTE: '100000000', LOG_LEVEL: 'warn' }
  return startSystem({
    only: ['stores', 'customers', 'bans', 'coupons', 'checkout'],
    gateways: [gateway, gateway],
    settings: { checkout: { LOG_LEVEL: 'warn', SWEEP_INTERVAL_MS: String(sweepIntervalMs) } },
  })
}

async function openStore(on: System, customerCount: number) {
  const store = await on.createStore()
  const shop = openShop(store)
  const customers = await Promise.all(Array.from({ length: customerCount }, () => shop.customer()))
  const gateways = [0, 1].map((index) => store.through(on.openGateway(index, { checked: false })))
  return { store, shop, gateways, customerIds: customers.map(({ id }) => id) }
}

async function startRushOn(on: System, { limited }: { limited: boolean }) {
  const random = seededRandom()
  const { store, shop, gateways, customerIds } = await openStore(on, 20)
  const terms = { redeem_limit_store_enabled: limited, redeem_limit_store_amount: limited ? limit : 0 }
  const { id: couponId } = await shop.coupon(terms)
  const watch = await openCouponWatch(on.address.adminUrl, { storeId: store.id, couponId })
  stops.push(() => watch.close())
  const shops = Array.from({ length: 16 }, (_, index) => gateways[index % 2] as TestStore)
  const rush = startRush(on, { shops, couponId, customerIds, random })
  const { most, stop } = watchGranted(watch)
  stops.push(async () => {
    await stop()
    await rush.stop()
  })
  return { random, rush, watch, maxGranted: most }
}

/** Two shoppers with open sessions who swap a coupon and another, unlimited one. */
async function startSwapsOn(on: System, { limited }: { limited: boolean }) {
  const random = seededRandom()
  const { store, shop, customerIds } = await openStore(on, 2)
  const [coupon, other] = [
    await shop.coupon({ redeem_limit_store_enabled: limited, redeem_limit_store_amount: limited ? 1 : 0 }),
    await shop.coupon(),
  ]
  const open = (couponId: string) => openCouponWatch(on.address.adminUrl, { storeId: store.id, couponId })
  const watches = await Promise.all([open(coupon.id), open(other.id)])
  stops.push(async () => void (await Promise.all(watches.map((watch) => watch.close()))))
  const tokens = await Promise.all(
    customerIds.map(async (id) => (await shop.order({ customer_id: id, lines: [line] })).body.token),
  )
  const swaps = startSwaps(on, { storeId: store.id, tokens, codes: [coupon.code, other.code], random })
  const { most, stop } = watchGranted(watches[0] as CouponWatch)
  stops.push(async () => {
    await stop()
    await swaps.stop()
  })
  return { random, swaps, watches, maxGranted: most, freeCode: other.code }
}

/** Remembers how many sessions had the coupon at the same time. */
function watchGranted(watch: CouponWatch) {
  let most = 0
  let isOver = false
  const watching = (async () => {
    for (; !isOver; await pause(20)) most = Math.max(most, await watch.granted())
  })()
  const stop = async () => {
    isOver = true
    await watching
  }
  return { most: () => most, stop }
}

/** Reservations of killed calls are released after 20 s, and retried if that fails at first. */
async function settled(watch: CouponWatch) {
  return await waitFor(
    'every reservation to be settled',
    async () => {
      const now = await watch.balance()
      return now.pending === 0 && now.orphans === 0 && now
    },
    { timeoutMs: 60_000 },
  )
}

/**
 * Customers order continuously while they are banned one after the other. Bans is killed after every fourth ban, so at
 * least four customers are needed.
 */
async function sellDuringBans(customerCount: number, banned: (customerId: string) => string) {
  const random = seededRandom()
  const { gateways, customerIds } = await openStore(system, customerCount)
  const isBanned = new Set<string>()
  const counts = { sold: 0, banned: 0, unavailable: 0 }
  let late = 0
  let isOver = false

  async function orderOn(store: TestStore): Promise<void> {
    while (!isOver) {
      const customerId = random.pick(customerIds)
      const wasBanned = isBanned.has(customerId)
      const order = { customer_id: customerId, lines: [line] }
      const response = await store.post('/checkouts', order).catch(() => undefined)
      if (response?.status === 200) {
        counts.sold += 1
        if (wasBanned) late += 1
      } else if (response?.status === 403) counts.banned += 1
      else {
        counts.unavailable += 1
        await backOff()
      }
    }
  }

  const selling = Promise.all(Array.from({ length: 12 }, (_, index) => orderOn(gateways[index % 2] as TestStore)))
  const more = (orders: number) => {
    const goal = counts.sold + counts.banned + orders
    return waitFor(`${orders} more orders`, () => counts.sold + counts.banned >= goal, { timeoutMs: 60_000 })
  }
  await more(60)
  for (const [index, customerId] of customerIds.entries()) {
    await more(20)
    await ban(gateways[0] as TestStore, banned(customerId))
    isBanned.add(customerId)
    if (index % 4 !== 3) continue
    await system.bans.kill('SIGKILL')
    const failures = counts.unavailable
    await waitFor('an order that fails', () => counts.unavailable > failures)
    await system.bans.restart()
  }
  // The last ban may find 12 orders in flight; the others that follow are of banned customers.
  await more(80)
  isOver = true
  await selling
  return { random, late, counts }
}

/** Resolves when the ban is created. */
async function ban(store: TestStore, customerId: string): Promise<void> {
  const identities = [{ ban_type: 'customer', ban_type_value: customerId }]
  await waitFor('the ban', async () => (await store.post('/bans', { identities })).status === 201)
}

const line = { quantity: 1, inline_product: { name: fresh.name(), price: 500, allow_one_time_purchase: true } }
