import { randomInt } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
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
const limit = 25
const tries = 100
/** Of up to three calls each. */
const mixedTries = 150
/** What each turn does; in which order they come is up to the machine. */
const seed = Number(process.env.TEST_SEED) || randomInt(1, 2 ** 31)

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
  database = createDatabase({ url: home.databaseUrl, applicationName: 'test', poolSize: 32, timeLimitFactor: 10, log })
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

async function limitTo(caller: number, { id }: Coupon, amount: number): Promise<Coupon> {
  const request = {
    couponId: id,
    coupon: { redeemLimitStoreAmount: BigInt(amount) },
    updateMask: { paths: ['redeem_limit_store_amount'] },
  }
  const { coupon } = await again(caller, (client) => client.updateCoupon(request, options))
  if (!coupon) throw new Error('no coupon')
  return coupon
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

/** One look, and so one moment: the counts, the limits, and how often the customer counts who does most. */
async function look({ id }: Coupon): Promise<Look> {
  const [row] = await database.query<Look>(sql`
    select version, used::int as used, redeem_limit_store_amount::int as places,
      (select coalesce(sum(used), 0)::int from coupon_customer_usage where coupon_id = ${id}) as customers,
      (select coalesce(max(used), 0)::int from coupon_customer_usage where coupon_id = ${id}) as "mostOfOne",
      (select count(*)::int from redemption
        where coupon_id = ${id} and state in ('reserved', 'confirmed')) as ledger
    from coupon where id = ${id}`)
  if (!row) throw new Error('no coupon')
  return row
}

interface Look {
  version: string
  used: number
  places: number
  customers: number
  mostOfOne: number
  ledger: number
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
    'that reserve, confirm and give back, while the limit changes, keep counters, ledger and limits true at every moment',
    async () => {
      const customers = Array.from({ length: 24 }, randomId)
      const [places, perCustomer] = [20, 3]
      let coupon = await createCoupon({
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
        let before: Look | undefined
        while (!over) {
          const now = await look(coupon)
          expect([now.customers, now.ledger], `seed ${seed}`).toEqual([now.used, now.used])
          expect(now.used, `seed ${seed}`).toBeLessThanOrEqual(places)
          expect(now.mostOfOne, `seed ${seed}`).toBeLessThanOrEqual(perCustomer)
          // With the same limit all the time it may only have grown up to it; a lower limit takes nothing away.
          if (before?.version === now.version) {
            expect(now.used, `seed ${seed}`).toBeLessThanOrEqual(Math.max(before.used, now.places))
          }
          before = now
          looks += 1
          await setTimeout(20)
        }
      }
      const changeLimit = async () => {
        for (let turn = 0; !over; turn += 1) {
          coupon = await limitTo(turn, coupon, turn % 2 === 0 ? places / 4 : places)
          note('LIMITED')
          const seen = looks
          while (!over && looks < seen + 10) await setTimeout(20)
        }
      }
      const move = async (caller: number, turn: number) => {
        const random = randomOf(seed + turn)
        const customerId = customers[Math.floor(random() * customers.length)] ?? ''
        // A third of the reservations is over at once, so that others take their places.
        const lifeMs = random() < 0.3 ? 30 : hourMs
        const expiresAt = timestampFromDate(new Date(Date.now() + lifeMs))
        const reservation = newReservation({ clock }, coupon, { customerId, expiresAt })
        const { checkoutId } = reservation
        const chance = random()
        note(await reserveAt(caller, reservation))
        const other = caller + 1
        if (chance < 0.5)
          note(await again(other, (client) => outcomeOf(client.confirmRedemption({ checkoutId }, options))))
        if (chance < 0.97) {
          await again(other, (client) => client.releaseRedemption({ checkoutId }, options))
          note('RELEASED')
        }
      }
      const work = race(mixedTries, move).finally(() => {
        over = true
      })
      await Promise.all([work, watch(), changeLimit()])
      const { used, customers: byCustomers, ledger } = await look(coupon)
      expect([byCustomers, ledger], `seed ${seed}`).toEqual([used, used])
      expect(looks).toBeGreaterThan(0)
      report('reserve, confirm and give back', {
        seed,
        callers,
        looks,
        ...Object.fromEntries(outcomes),
        left: used,
      })
    },
    timeoutMs,
  )

  it(
    'that go on while the coupon is deleted leave customers and ledger at the same count, and none of them fails',
    async () => {
      const coupon = await createCoupon({ redeemLimitStoreEnabled: true, redeemLimitStoreAmount: BigInt(limit) })
      const customers = Array.from({ length: 4 }, randomId)
      const outcomes = new Set<string>()
      await race(mixedTries, async (caller, turn) => {
        if (turn === mixedTries / 2) {
          await again(caller, (client) => client.deleteCoupon({ couponId: coupon.id }, options))
          return
        }
        const random = randomOf(seed + turn)
        const customerId = customers[turn % customers.length] ?? ''
        const expiresAt = timestampFromDate(new Date(Date.now() + (random() < 0.3 ? 30 : hourMs)))
        const reservation = newReservation({ clock }, coupon, { customerId, expiresAt })
        const { checkoutId } = reservation
        outcomes.add(await reserveAt(caller, reservation))
        const moves = [
          (client: Client) => client.confirmRedemption({ checkoutId }, options),
          (client: Client) => client.releaseRedemption({ checkoutId }, options),
        ]
        // Both at once, or neither.
        if (random() < 0.7) await Promise.all(moves.map((one, index) => again<unknown>(caller + index, one)))
      })
      expect(outcomes).toContain('RESERVED')
      expect(outcomes).toContain('refused: CHANGED')
      const { coupon: used, customers: byCustomers, ledger } = await countsOf(database, coupon.id)
      expect([used, byCustomers], `seed ${seed}`).toEqual([null, ledger])
      report('deleted meanwhile', { seed, callers, tried: mixedTries, left: ledger })
    },
    timeoutMs,
  )
})

describe('a process that is killed in the middle', () => {
  it(
    'leaves no place granted twice, and none taken that nobody was told of',
    async () => {
      const places = 75
      const coupon = await createCoupon({ redeemLimitStoreEnabled: true, redeemLimitStoreAmount: BigInt(places) })
      let granted = 0
      await race(tries, async (caller, turn) => {
        if (turn === 25) processes[1]?.child.kill('SIGKILL')
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
  // Mulberry32: seeds that lie side by side have nothing to do with each other.
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
