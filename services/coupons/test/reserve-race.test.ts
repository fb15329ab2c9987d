import { setTimeout } from 'node:timers/promises'
import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { systemClock } from '@storekeep/common/clock'
import { randomId, seededRandom, withKey } from '@storekeep/common/testing'
import type { Coupon } from '@storekeep/proto/coupons/v1/coupon'
import sql from 'sql-template-tag'
import { describe, expect, it } from 'vitest'
import { type Input, inStore, newCoupon } from './harness.ts'
import {
  countsOf,
  hourMs,
  newReservation,
  outcomeOf,
  type Reservation,
  reserveOutcome,
  storeLimit,
} from './redemptions.ts'
import { type CouponsProcess, useTwoProcesses } from './two-processes.ts'
import { reserveUnsafely } from './unsafe-reserve.ts'

/** Concurrent callers, half of them at each process. */
const callers = 64
const limit = 25
const tries = 100
const mixedTries = 150
/** Decides what each turn does; their order is up to the machine. */
const { seed } = seededRandom()

const { database, processOf, again } = useTwoProcesses()
const options = inStore()
const clock = systemClock

async function createCoupon(change: Input): Promise<Coupon> {
  const keyed = withKey(options)
  const { coupon } = await again(0, ({ client }) => client.createCoupon({ coupon: newCoupon(change) }, keyed))
  if (!coupon) throw new Error('no coupon')
  return coupon
}

/** Runs `work` with all callers until it has been started `count` times. */
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

async function reserveAt(caller: number, reservation: Reservation): Promise<string> {
  return again(caller, ({ redemptions }) => reserveOutcome(redemptions.reserveCoupon(reservation, options)))
}

async function limitTo(caller: number, { id }: Coupon, amount: number): Promise<Coupon> {
  const request = {
    couponId: id,
    coupon: { redeemLimitStoreAmount: BigInt(amount) },
    updateMask: { paths: ['redeem_limit_store_amount'] },
  }
  const { coupon } = await again(caller, ({ client }) => client.updateCoupon(request, options))
  if (!coupon) throw new Error('no coupon')
  return coupon
}

/** The negative control: the same race without the lock. @returns how many redemptions were granted */
async function raceUnsafely(terms: Input, customer: () => string): Promise<number> {
  const coupon = await createCoupon(terms)
  let granted = 0
  await race(tries, async () => {
    const reservation = newReservation({ clock }, coupon, { customerId: customer() })
    if (await reserveUnsafely(database(), coupon, reservation)) granted += 1
  })
  return granted
}

/** The counts and limits in one snapshot, with the usage of the customer who uses the coupon most. */
async function look({ id }: Coupon): Promise<Look> {
  const [row] = await database().query<Look>(sql`
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

describe('64 concurrent callers of two processes', () => {
  it.each<[string, Input, () => string]>([
    ['store', storeLimit(BigInt(limit)), randomId],
    ['customer', { redeemLimitCustomerEnabled: true, redeemLimitCustomerAmount: BigInt(limit) }, () => '7'],
  ])(
    'get exactly as many redemptions as the limit of the %s allows, and too many without the lock',
    async (kind, terms, customer) => {
      const coupon = await createCoupon(terms)
      const granted = new Map<string, number>()
      await race(tries, async (caller) => {
        const outcome = await reserveAt(caller, newReservation({ clock }, coupon, { customerId: customer() }))
        granted.set(outcome, (granted.get(outcome) ?? 0) + 1)
      })
      const rejected = kind === 'store' ? 'rejected: coupon-exhausted' : 'rejected: coupon-customer-limit'
      expect(Object.fromEntries(granted)).toEqual({ RESERVED: limit, [rejected]: tries - limit })
      expect(await countsOf(database(), coupon.id)).toEqual({ coupon: limit, customers: limit, ledger: limit })

      let controlGranted = 0
      // The negative control may stay within the limit by luck once, but not five times.
      for (let round = 0; round < 5 && controlGranted <= limit; round += 1)
        controlGranted = await raceUnsafely(terms, customer)
      expect(controlGranted).toBeGreaterThan(limit)
      report(`limit of the ${kind}`, {
        callers,
        limit,
        tried: tries,
        granted: granted.get('RESERVED') ?? 0,
        'granted without the lock': controlGranted,
      })
    },
    timeoutMs,
  )

  it(
    'keep counters, ledger and limits consistent at every moment while they reserve, confirm and release and the limit changes',
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
          // Under an unchanged limit the usage grows up to it at most; lowering a limit takes nothing away.
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
        const random = seededRandom(seed + turn)
        const customerId = random.pick(customers)
        // A third of the reservations expire after 30 ms, so that others replace them.
        const lifeMs = random.below(10) < 3 ? 30 : hourMs
        const expiresAt = timestampFromDate(new Date(Date.now() + lifeMs))
        const reservation = newReservation({ clock }, coupon, { customerId, expiresAt })
        const { checkoutId } = reservation
        const chance = random.below(100)
        note(await reserveAt(caller, reservation))
        const other = caller + 1
        if (chance < 50)
          note(
            await again(other, ({ redemptions }) => outcomeOf(redemptions.confirmRedemption({ checkoutId }, options))),
          )
        if (chance < 97) {
          await again(other, ({ redemptions }) => redemptions.releaseRedemption({ checkoutId }, options))
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
      report('reserve, confirm and release', {
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
    'leave customers and ledger at the same count when the coupon is deleted, and none of them fails',
    async () => {
      const coupon = await createCoupon(storeLimit(BigInt(limit)))
      const customers = Array.from({ length: 4 }, randomId)
      const outcomes = new Set<string>()
      await race(mixedTries, async (caller, turn) => {
        if (turn === mixedTries / 2) {
          const keyed = withKey(options)
          await again(caller, ({ client }) => client.deleteCoupon({ couponId: coupon.id }, keyed))
          return
        }
        const random = seededRandom(seed + turn)
        const customerId = customers[turn % customers.length] ?? ''
        const expiresAt = timestampFromDate(new Date(Date.now() + (random.below(10) < 3 ? 30 : hourMs)))
        const reservation = newReservation({ clock }, coupon, { customerId, expiresAt })
        const { checkoutId } = reservation
        outcomes.add(await reserveAt(caller, reservation))
        const moves = [
          ({ redemptions }: CouponsProcess) => redemptions.confirmRedemption({ checkoutId }, options),
          ({ redemptions }: CouponsProcess) => redemptions.releaseRedemption({ checkoutId }, options),
        ]
        // Both concurrently, or neither.
        if (random.below(10) < 7) await Promise.all(moves.map((one, index) => again<unknown>(caller + index, one)))
      })
      expect(outcomes).toContain('RESERVED')
      expect(outcomes).toContain('rejected: reference')
      const { coupon: used, customers: byCustomers, ledger } = await countsOf(database(), coupon.id)
      expect([used, byCustomers], `seed ${seed}`).toEqual([null, ledger])
      report('deleted in between', { seed, callers, tried: mixedTries, left: ledger })
    },
    timeoutMs,
  )
})

describe('a process that is killed', () => {
  it(
    'leaves no redemption granted twice and none that no caller knows of',
    async () => {
      const places = 75
      const coupon = await createCoupon(storeLimit(BigInt(places)))
      let granted = 0
      await race(tries, async (caller, turn) => {
        if (turn === 25) processOf(1).child.kill('SIGKILL')
        if ((await reserveAt(caller, newReservation({ clock }, coupon))) === 'RESERVED') granted += 1
      })
      expect(granted).toBe(places)
      expect(await countsOf(database(), coupon.id)).toEqual({ coupon: places, customers: places, ledger: places })
      report('killed', { callers, limit: places, tried: tries, granted })
    },
    timeoutMs,
  )
})
