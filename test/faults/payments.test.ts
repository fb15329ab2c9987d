import { setTimeout as pause } from 'node:timers/promises'
import { PaymentProvider } from '@storekeep/proto/orders/v1/payment'
import { report, type System, scaled, seededRandom, startSystem, waitFor } from '@storekeep/test/kit'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { type FakeStripe, startFakeStripe } from '../../services/orders/test/fake-stripe.ts'
import { type Balance, balanced, readBalance } from './payment-balance.ts'
import { kindsOfShoppers, openPaymentShop, type PaymentShop } from './payment-shop.ts'
import { lock } from './row-lock.ts'

let stripe: FakeStripe
let system: System
let database: pg.Client
const shops: PaymentShop[] = []
beforeAll(async () => {
  stripe = await startFakeStripe()
  system = await startSystem({
    only: ['stores', 'customers', 'bans', 'coupons', 'checkout', 'orders'],
    gateways: [{ RATE_LIMIT_API_KEY_PER_MINUTE: '100000000', LOG_LEVEL: 'warn' }],
    settings: {
      checkout: { LOG_LEVEL: 'warn', SWEEP_INTERVAL_MS: '200' },
      orders: { LOG_LEVEL: 'warn', STRIPE_BASE_URL: stripe.url, SWEEP_INTERVAL_MS: '200' },
    },
  })
  database = new pg.Client({ connectionString: system.address.adminUrl })
  database.on('error', () => undefined)
  await database.connect()
})
afterEach(() => {
  for (const shop of shops.splice(0)) shop.close()
})
afterAll(async () => {
  await database.end()
  await system.stop()
  await stripe.close()
})

/** The production guarantee. */
it('every payment becomes one order or one refund, and invoices have no gaps, while processes are killed at every step', async () => {
  const random = seededRandom()
  const shop = await open(random)
  let kills = 0
  for (const step of steps) {
    await killAt(step, shop)
    kills += 1
  }
  const isOver = { now: false }
  const selling = sell(shop, scaled(40), random)
  const end = () => {
    isOver.now = true
  }
  selling.then(end, end)
  stripe.outage = () => random.pick(['none', 'none', 'none', 'down', 'losesResponses'] as const)
  while (!isOver.now) {
    const victim = system[random.pick(['orders', 'checkout', 'coupons'] as const)]
    const { webhooks, retries } = shop.counts
    await victim.kill('SIGKILL')
    kills += 1
    await waitFor('a request that fails', () => isOver.now || shop.counts.retries > retries)
    await victim.restart()
    await waitFor('shoppers that continue', () => isOver.now || shop.counts.webhooks > webhooks + 8)
  }
  await selling
  stripe.outage = 'none'
  const balance = await settled(shop)
  report('payments', { seed: random.seed, kills, ...shop.counts, ...balance })
  expect(balance).toMatchObject(balanced)
  expect(balance.orders).toBeGreaterThan(steps.length)
  // An expired and a canceled session, and the steps of refunds.
  expect(balance.refunds).toBeGreaterThanOrEqual(4)
  expect(shop.counts.banned).toBeGreaterThan(0)
})

it('a process that is killed after it has numbered an invoice leaves no gap', async () => {
  expect(await killNumbering('')).toMatchObject({ ...balanced, orders: 1 })
})

it('negative control: if a sequence numbered the invoices, there would be a gap', async () => {
  await database.query(`
    create sequence orders.invoice_control; grant usage on sequence orders.invoice_control to public`)
  const balance = await killNumbering(
    `if tg_op = 'INSERT' then new.invoice_number := nextval('orders.invoice_control'); end if;`,
  )
  expect(balance).toMatchObject({ orders: 1 })
  expect(balance['gaps in invoice numbers']).toBeGreaterThan(0)
})

it('negative control: without the task, a payment stays without an order', async () => {
  const neglected = await open()
  const other = await open()
  await neglect(neglected, 'orders.payment', 'new.next_at := null')
  const unpaid = await Promise.all(
    [neglected, other].map(async (shop) => [shop, await shop.start(await shop.open())] as const),
  )
  await system.checkout.kill('SIGKILL')
  // Stored and acknowledged, so Stripe does not repeat them.
  for (const [shop, payment] of unpaid) await shop.deliver([stripe.pay(payment)])
  await system.checkout.restart()
  expect(await settled(other)).toMatchObject({ ...balanced, orders: 1 })
  await expectMore('without the task', neglected, 'payments without order or refund')
})

it('negative control: if completed sessions stayed open, a session paid twice would become two orders', async () => {
  const shop = await open()
  await neglect(shop, 'checkout.checkout_session', `new.status := 'open'`)
  const purchase = await shop.open()
  const payment = await shop.start(purchase)
  const manual = await shop.start(purchase, PaymentProvider.MANUAL)
  await shop.deliver([stripe.pay(payment)])
  await shop.markPaid(manual)
  await expectMore('without one payment per session', shop, 'double orders')
})

it('negative control: if payments forgot what was reported, repeated webhooks would create two orders', async () => {
  const shop = await open()
  const forget = `if new.settlement = 'completed' then
    new.settlement := 'none'; new.status := 'pending'; new.order_id := null;
  end if`
  await neglect(shop, 'orders.payment', forget)
  // The id of the order, which checkout keeps, would prevent the second one, too.
  await neglect(shop, 'checkout.checkout_session', 'new.order_id := null')
  const webhook = stripe.pay(await shop.start(await shop.open()))
  await shop.deliver([webhook])
  await shop.deliver([webhook])
  await expectMore('without memory of webhooks', shop, 'double orders')
})

it('negative control: a ban of another customer does not stop the payment', async () => {
  const shop = await open()
  const purchase = await shop.open()
  await shop.ban('7')
  await shop.deliver([stripe.pay(await shop.start(purchase))])
  await expectMore('with a ban of another customer', shop, 'payments')
})

/** Kills the orders process in the statement that has numbered an invoice. @param statement what happens before in the database */
async function killNumbering(statement: string): Promise<Balance> {
  const shop = await open()
  await database.query('create table if not exists orders.gate (); grant all on orders.gate to public')
  await neglect(shop, 'orders.store_order', `${statement} lock table orders.gate in row exclusive mode`)
  await killAt({ victim: 'orders', at: { locked: 'lock table orders.gate in share mode' } }, shop)
  const balance = await settled(shop)
  report('payments, killed while an invoice is numbered', { statement, ...balance })
  return balance
}

async function open(random = seededRandom()): Promise<PaymentShop> {
  const shop = await openPaymentShop(system, stripe, random)
  shops.push(shop)
  return shop
}

/** One shopper of each kind after the other, several at a time. */
async function sell(shop: PaymentShop, count: number, random: ReturnType<typeof seededRandom>): Promise<void> {
  const most = Math.max(count, kindsOfShoppers.length)
  let next = 0
  await Promise.all(
    Array.from({ length: 6 }, async () => {
      while (next < most) {
        const kind = kindsOfShoppers[next % kindsOfShoppers.length] ?? 'pays'
        next += 1
        await shop.buy(kind, { expire })
        await pause(random.below(100))
      }
    }),
  )
}

async function expire(checkoutId: string): Promise<void> {
  await database.query(`update checkout.checkout_session set expires_at = now() - interval '1 second' where id = $1`, [
    checkoutId,
  ])
}

/** Reads the balance when nothing is on its way. */
async function settled({ store }: PaymentShop): Promise<Balance> {
  return await waitFor(
    'all payments to be settled',
    async () => {
      const balance = await readBalance(database, stripe, store.id)
      const isOver = balance.unsettled === 0 && balance['redemptions without order'] === 0
      return isOver && balance
    },
    { timeoutMs: 120_000, everyMs: 100 },
  )
}

const steps: readonly Step[] = [
  { victim: 'orders', at: { path: '/v1/checkout/sessions', when: 'before' } },
  { victim: 'orders', at: { path: '/v1/checkout/sessions', when: 'after' } },
  { victim: 'coupons', at: { locked: 'select from coupons.redemption where checkout_id = $1 for update' } },
  { victim: 'checkout', at: { locked: 'select from coupons.redemption where checkout_id = $1 for update' } },
  { victim: 'checkout', at: { locked: 'select from checkout.checkout_session where id = $1 for update' } },
  { victim: 'orders', at: { locked: 'select from checkout.checkout_session where id = $1 for update' } },
  { victim: 'orders', at: { locked: 'lock table orders.store_order in share mode' } },
  { victim: 'orders', at: { path: '/v1/refunds', when: 'before' } },
  { victim: 'orders', at: { path: '/v1/refunds', when: 'after' } },
]

/** A shopper pays, or, for the steps of a refund, pays a canceled session. The process is killed at this moment. */
async function killAt({ victim, at }: Step, shop: PaymentShop): Promise<void> {
  const purchase = await shop.open()
  const pay = async (payment: string) => {
    if ('path' in at && at.path === '/v1/refunds') await shop.cancel(purchase)
    await shop.deliver([stripe.pay(payment)])
  }
  if ('locked' in at) {
    const payment = await shop.start(purchase)
    const values = at.locked.includes('$1') ? [purchase.id] : []
    const held = await lock(system.address.adminUrl, at.locked, values)
    const paying = pay(payment)
    await held.waiting(1)
    await system[victim].kill('SIGKILL')
    await held.release()
    await system[victim].restart()
    await paying
    return
  }
  const held = holdStripe(at)
  const paying = shop.start(purchase).then(pay)
  await held.reached
  await system[victim].kill('SIGKILL')
  held.release()
  await system[victim].restart()
  await paying
}

/** Holds the next request to a path of Stripe until `release`. */
function holdStripe({ path, when }: StripeMoment): { reached: Promise<void>; release(): void } {
  const reached = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  stripe.hold = async (seenPath, seenWhen) => {
    if (seenPath !== path || seenWhen !== when) return
    stripe.hold = undefined
    reached.resolve()
    await released.promise
  }
  return { reached: reached.promise, release: released.resolve }
}

type Step = { victim: 'orders' | 'checkout' | 'coupons'; at: StripeMoment | { locked: string } }
interface StripeMoment {
  path: string
  when: 'before' | 'after'
}

/**
 * Removes a protection in the database, for one store. The unique indexes, which would turn a double order into a failure, are
 * removed for all: the production guarantee is tested before.
 */
async function neglect({ store }: PaymentShop, table: string, statement: string): Promise<void> {
  const name = `neglect_${store.id}`
  await database.query(`
    create function ${table.split('.')[0]}.${name}() returns trigger language plpgsql as $$
      begin ${statement}; return new; end $$;
    create trigger ${name} before insert or update on ${table} for each row when (new.store_id = ${store.id})
      execute function ${table.split('.')[0]}.${name}();
    drop index if exists orders.store_order_checkout_unique, orders.payment_completed_unique`)
}

async function expectMore(name: string, { store }: PaymentShop, fault: keyof Balance): Promise<void> {
  const balance = await readBalance(database, stripe, store.id)
  report(`payments, ${name}`, { ...balance })
  expect(balance[fault]).toBeGreaterThan(0)
}
