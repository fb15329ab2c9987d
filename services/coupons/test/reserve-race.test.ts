import { randomInt } from 'node:crypto'
import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { createLogger } from '@storekeep/common/log'
import { createDatabase, type Database } from '@storekeep/common/postgres'
import { createTestHome, randomId, spawnService, type TestHome } from '@storekeep/common/testing'
import type { Coupon } from '@storekeep/proto/coupons/v1/coupon'
import { CouponsService } from '@storekeep/proto/coupons/v1/coupons_service'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Input, inStore, newCoupon, settings } from './harness.ts'
import { countsOf, hourMs, newReservation, outcomeOf, type Reservation } from './redemptions.ts'
import { reserveUnsafely } from './unsafe-reserve.ts'

/** Callers at a time, half of them at each process. */
const callers = 64
const limit = 50
const tries = 400

let home: TestHome
let database: Database
let processes: Awaited<ReturnType<typeof spawnService<typeof CouponsService>>>[]
const options = inStore()
const clock = { now: () => new Date() }

beforeAll(async () => {
  home = await createTestHome('coupons', { ...settings, DATABASE_POOL_SIZE: '24' })
  const entry = new URL('../src/main.ts', import.meta.url)
  processes = [await spawnService(entry, CouponsService, home.env), await spawnService(entry, CouponsService, home.env)]
  const log = createLogger({ service: 'test', level: 'silent' })
  database = createDatabase({ url: home.databaseUrl, applicationName: 'test', poolSize: 32, log })
})
afterAll(async () => {
  for (const { child, exited, transport } of processes) {
    transport.close()
    child.kill('SIGTERM')
    await exited
  }
  await database.close()
  await home.drop()
})

const clientOf = (caller: number) => {
  const process = processes[caller % processes.length]
  if (!process) throw new Error('no process')
  return process.client
}

async function createCoupon(change: Input): Promise<Coupon> {
  const { coupon } = await clientOf(0).createCoupon({ coupon: newCoupon(change) }, options)
  if (!coupon) throw new Error('no coupon')
  return coupon
}

/** Has all callers work until `count` tries are made. */
async function race(count: number, work: (caller: number, turn: number) => Promise<void>): Promise<void> {
  let next = 0
  const call = async (_: unknown, caller: number) => {
    while (next < count) {
      next += 1
      await work(caller, next)
    }
  }
  await Promise.all(Array.from({ length: callers }, call))
}

/**
 * A call that nobody answers, on a loaded machine or because its process was killed, is made again, at the other
 * process: it is for the same checkout, so it counts once.
 */
async function again<T>(caller: number, call: (client: Client) => Promise<T>): Promise<T> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await call(clientOf(caller + attempt))
    } catch (error) {
      if (attempt === 20 || (error as { code?: string }).code !== 'service-unavailable') throw error
    }
  }
}

async function reserveAt(caller: number, reservation: Reservation): Promise<string> {
  return again(caller, (client) => outcomeOf(client.reserveRedemption(reservation, options)))
}

/** The same race for places that are granted without the lock. @returns how many were */
async function raceUnsafely(terms: Input, customer: () => string): Promise<number> {
  const coupon = await createCoupon(terms)
  let granted = 0
  await race(tries, async () => {
    const reservation = newReservation({ clock }, coupon, { customerId: customer() })
    if (await reserveUnsafely(database, coupon, reservation)) granted += 1
  })
  return granted
}

async function mostOfOneCustomer({ id }: Coupon): Promise<number> {
  const [row] = await database.query<{ most: number }>(sql`
    select coalesce(max(used), 0)::int as most from coupon_customer_usage where coupon_id = ${id}`)
  return row?.most ?? 0
}

function report(name: string, facts: Record<string, string | number>): void {
  const list = Object.entries(facts).map(([what, value]) => `${what} ${value}`)
  process.stdout.write(`${name}: ${list.join(', ')}\n`)
}

const timeoutMs = 120_000

type Client = (typeof processes)[number]['client']

describe('64 callers at once, at two processes', () => {
  it.each<[string, Input, () => string]>([
    ['store', { redeemLimitStoreEnabled: true, redeemLimitStoreAmount: BigInt(limit) }, randomId],
    ['customer', { redeemLimitCustomerEnabled: true, redeemLimitCustomerAmount: BigInt(limit) }, () => '7'],
  ])(
    'get exactly as many places as the limit of the %s has, and too many without the lock',
    async (kind, terms, customer) => {
      const coupon = await createCoupon(terms)
      const granted = new Map<string, number>()
      await race(tries, async (caller) => {
        const outcome = await reserveAt(caller, newReservation({ clock }, coupon, { customerId: customer() }))
        granted.set(outcome, (granted.get(outcome) ?? 0) + 1)
      })
      const refused = kind === 'store' ? 'refused: EXHAUSTED' : 'refused: CUSTOMER_LIMIT'
      expect(Object.fromEntries(granted)).toEqual({ RESERVED: limit, [refused]: tries - limit })
      expect(await countsOf(database, coupon.id)).toEqual({ coupon: limit, customers: limit, ledger: limit })

      let twinGranted = 0
      // Luck may help the twin once, and not five times.
      for (let round = 0; round < 5 && twinGranted <= limit; round += 1)
        twinGranted = await raceUnsafely(terms, customer)
      expect(twinGranted).toBeGreaterThan(limit)
      report(`limit of the ${kind}`, {
        callers,
        limit,
        tried: tries,
        granted: granted.get('RESERVED') ?? 0,
        'twin granted': twinGranted,
      })
    },
    timeoutMs,
  )

  it(
    'that reserve, confirm and give back keep counters, ledger and limits true at every moment',
    async () => {
      const seed = randomInt(2 ** 31)
      const random = randomOf(seed)
      const customers = Array.from({ length: 12 }, randomId)
      const [places, perCustomer] = [20, 3]
      const coupon = await createCoupon({
        redeemLimitStoreEnabled: true,
        redeemLimitStoreAmount: BigInt(places),
        redeemLimitCustomerEnabled: true,
        redeemLimitCustomerAmount: BigInt(perCustomer),
      })
      const outcomes = new Map<string, number>()
      const note = (outcome: string) => outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
      let over = false
      let looks = 0
      const watch = async () => {
        while (!over) {
          const { coupon: used, customers: byCustomers, ledger } = await countsOf(database, coupon.id)
          expect([byCustomers, ledger], `seed ${seed}`).toEqual([used, used])
          expect(used, `seed ${seed}`).toBeLessThanOrEqual(places)
          expect(await mostOfOneCustomer(coupon), `seed ${seed}`).toBeLessThanOrEqual(perCustomer)
          looks += 1
        }
      }
      const work = race(tries, async (caller) => {
        const customerId = customers[Math.floor(random() * customers.length)] ?? ''
        // A third of the reservations is over at once, so that others take their places.
        const lifeMs = random() < 0.3 ? 30 : hourMs
        const expiresAt = timestampFromDate(new Date(Date.now() + lifeMs))
        const reservation = newReservation({ clock }, coupon, { customerId, expiresAt })
        const { checkoutId } = reservation
        const move = random()
        note(await reserveAt(caller, reservation))
        const other = caller + 1
        if (move < 0.5)
          note(await again(other, (client) => outcomeOf(client.confirmRedemption({ checkoutId }, options))))
        if (move < 0.97) {
          await again(other, (client) => client.releaseRedemption({ checkoutId }, options))
          note('RELEASED')
        }
      }).finally(() => {
        over = true
      })
      await Promise.all([work, watch()])
      const { coupon: used, customers: byCustomers, ledger } = await countsOf(database, coupon.id)
      expect([byCustomers, ledger], `seed ${seed}`).toEqual([used, used])
      expect(looks).toBeGreaterThan(0)
      report('reserve, confirm and give back', {
        seed,
        callers,
        looks,
        ...Object.fromEntries(outcomes),
        left: used ?? 0,
      })
    },
    timeoutMs,
  )
})

describe('a process that is killed in the middle', () => {
  it(
    'leaves no place granted twice, and none taken that nobody was told of',
    async () => {
      const places = 300
      const coupon = await createCoupon({ redeemLimitStoreEnabled: true, redeemLimitStoreAmount: BigInt(places) })
      let granted = 0
      await race(tries, async (caller, turn) => {
        if (turn === 100) processes[1]?.child.kill('SIGKILL')
        if ((await reserveAt(caller, newReservation({ clock }, coupon))) === 'RESERVED') granted += 1
      })
      expect(granted).toBe(places)
      expect(await countsOf(database, coupon.id)).toEqual({ coupon: places, customers: places, ledger: places })
      report('killed in the middle', { callers, limit: places, tried: tries, granted })
    },
    timeoutMs,
  )
})

/** Numbers from 0 to 1, the same for the same seed. */
function randomOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}
