import { errors, type ServiceFault, violation } from '@storekeep/common/errors'
import { countEvents, faultOf, retryUnavailable, violationsOf, withKey } from '@storekeep/common/testing'
import sql from 'sql-template-tag'
import { afterEach, describe, expect, it } from 'vitest'
import { createTestSession, inline, newBuyer, useCheckouts } from './harness.ts'

const checkouts = useCheckouts()
const { coupons, customers } = checkouts.others
afterEach(() => {
  Object.assign(coupons, {
    outage: 'none',
    losesResponses: false,
    failsToRelease: false,
    beforeReserve: async () => {},
    afterReserve: async () => {},
  })
})

const gift = inline({}, { recipient: { case: 'giftTo', value: { platform: 'steam', id: '76561198000000001' } } })

/** The states of all reservations that are not settled with a session. */
async function records() {
  return await checkouts.database.query<{ state: string }>(sql`select state from coupon_reservation`)
}

async function metrics() {
  const response = await fetch(`http://127.0.0.1:${checkouts.running.metricsPort}/metrics`)
  return await response.text()
}

function create({ options, customerId }: ReturnType<typeof newBuyer>, couponId: string) {
  return checkouts.client.createCheckoutSession({ customerId, lines: [inline()], couponId }, options)
}

describe('the reservation of a coupon', () => {
  it('is settled with the session', async () => {
    const couponId = coupons.add()
    await createTestSession(checkouts, undefined, { couponId })
    expect(coupons.reservationsOf(couponId)).toEqual({ reserved: 1, confirmed: 0, released: 0 })
    expect(await records()).toEqual([])
  })

  it('is rejected when the coupon is used up', async () => {
    const couponId = coupons.add({ limit: 1 })
    await createTestSession(checkouts, undefined, { couponId })
    const { violations } = (await faultOf(create(newBuyer(checkouts), couponId))) as ServiceFault
    expect(violations).toMatchObject([{ path: 'coupon_id', code: 'coupon-exhausted', validation: 'reference' }])
    expect(coupons.reservationsOf(couponId)).toEqual({ reserved: 1, confirmed: 0, released: 0 })
    expect(await records()).toEqual([])
  })

  it('is granted to one of 20 concurrent orders if the limit is 1', async () => {
    const couponId = coupons.add({ limit: 1 })
    const calls = Array.from({ length: 20 }, () => {
      const { options, customerId } = newBuyer(checkouts)
      const keyed = { options: withKey(options), customerId }
      return retryUnavailable(() => create(keyed, couponId))
    })
    const settled = await Promise.allSettled(calls)
    expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    for (const one of settled) {
      if (one.status === 'rejected') expect(one.reason).toMatchObject({ violations: [{ code: 'coupon-exhausted' }] })
    }
    // A call that failed with 503 has released what it had reserved.
    expect(coupons.reservationsOf(couponId)).toMatchObject({ reserved: 1, confirmed: 0 })
  })

  it('is rejected before recipients are created as customers', async () => {
    const couponId = coupons.add({ limit: 1 })
    await createTestSession(checkouts, undefined, { couponId })
    const { options, customerId } = newBuyer(checkouts)
    const known = customers.accounts.length
    const order = { customerId, lines: [gift], couponId }
    const call = checkouts.client.createCheckoutSession(order, options)
    expect(await violationsOf(call)).toEqual(['coupon_id reference'])
    expect(customers.accounts).toHaveLength(known)
  })

  it('is released when a recipient is invalid', async () => {
    const couponId = coupons.add({ limit: 1 })
    const { options, customerId } = newBuyer(checkouts)
    const order = { customerId, lines: [gift], couponId }
    customers.accountViolation = violation('platform', 'enum', 'must be one of steam')
    const items = await violationsOf(checkouts.client.createCheckoutSession(order, options))
    customers.accountViolation = undefined
    expect(items).toEqual(['lines.0.gift_to.platform enum'])
    expect(coupons.reservationsOf(couponId)).toEqual({ reserved: 0, confirmed: 0, released: 1 })
    expect(await records()).toEqual([])
    await createTestSession(checkouts, { options, customerId }, order)
  })

  it('is released when the response is lost', async () => {
    const couponId = coupons.add({ limit: 1 })
    const buyer = newBuyer(checkouts)
    coupons.losesResponses = true
    expect(await faultOf(create(buyer, couponId))).toMatchObject({ code: 'service-unavailable' })
    expect(coupons.reservationsOf(couponId)).toEqual({ reserved: 0, confirmed: 0, released: 1 })
    expect(await records()).toEqual([])
    coupons.losesResponses = false
    await create(buyer, couponId)
  })

  it('a retry with the key of a failed call releases its reservation and reserves again', async () => {
    const couponId = coupons.add({ limit: 1 })
    const { options, customerId } = newBuyer(checkouts)
    const keyed = { options: withKey(options), customerId }
    Object.assign(coupons, { losesResponses: true, failsToRelease: true })
    expect(await faultOf(create(keyed, couponId))).toMatchObject({ code: 'service-unavailable' })
    expect(await records()).toEqual([{ state: 'releasing' }])
    // No call is running, so a 409 would make the client wait for nothing.
    expect(await faultOf(create(keyed, couponId))).toMatchObject({ code: 'service-unavailable', retryAfterSeconds: 1 })
    Object.assign(coupons, { losesResponses: false, failsToRelease: false })
    const both = await Promise.allSettled([create(keyed, couponId), create(keyed, couponId)])
    const outcomes = both.map((one) => (one.status === 'fulfilled' ? 'created' : one.reason.code))
    expect(outcomes).toContain('created')
    expect(outcomes.filter((one) => one !== 'created' && one !== 'conflict')).toEqual([])
    expect(coupons.reservationsOf(couponId)).toEqual({ reserved: 1, confirmed: 0, released: 1 })
    expect(await records()).toEqual([])
    expect(await countEvents(checkouts, options.storeId)).toBe(1)
  })

  it('is released by the sweep once coupons is reachable again', async () => {
    const couponId = coupons.add({ limit: 1 })
    coupons.beforeReserve = async () => {
      coupons.outage = 'unavailable'
    }
    coupons.losesResponses = true
    expect(await faultOf(create(newBuyer(checkouts), couponId))).toMatchObject({ code: 'service-unavailable' })
    expect(await records()).toEqual([{ state: 'releasing' }])
    expect(coupons.reservationsOf(couponId).reserved).toBe(1)
    coupons.outage = 'none'
    checkouts.clock.advance(70_000)
    await expect.poll(() => records()).toEqual([])
    expect(coupons.reservationsOf(couponId)).toEqual({ reserved: 0, confirmed: 0, released: 1 })
  })

  it('is not released by the sweep before the longest deadline of a request has passed', async () => {
    const couponId = coupons.add()
    let lifetimes: { seconds: number }[] = []
    coupons.afterReserve = async () => {
      lifetimes = await checkouts.database.query(
        sql`select extract(epoch from next_at - created_at)::int as seconds from coupon_reservation`,
      )
    }
    await create(newBuyer(checkouts), couponId)
    // The gateway accepts a REQUEST_TIMEOUT_MS of up to 15,000.
    expect(lifetimes).toEqual([{ seconds: 20 }])
  })

  it.each([
    ['beforeReserve', { reserved: 0, confirmed: 0, released: 0 }],
    ['afterReserve', { reserved: 0, confirmed: 0, released: 1 }],
  ] as const)(
    'is released by the sweep after 20 s, and the session is not written then (%s)',
    async (moment, slots) => {
      const couponId = coupons.add({ limit: 1 })
      const buyer = newBuyer(checkouts)
      coupons[moment] = async () => {
        checkouts.clock.advance(20_001)
        await expect.poll(() => records()).toEqual([])
      }
      expect(await faultOf(create(buyer, couponId))).toMatchObject({ code: 'service-unavailable' })
      expect(coupons.reservationsOf(couponId)).toEqual(slots)
      expect(await countEvents(checkouts, buyer.options.storeId)).toBe(0)
    },
  )

  it('is released when the session cannot be written', async () => {
    const couponId = coupons.add()
    const buyer = newBuyer(checkouts)
    await checkouts.database.query(sql`alter table outbox add constraint no_events check (false) not valid`)
    const fault = await faultOf(create(buyer, couponId))
    await checkouts.database.query(sql`alter table outbox drop constraint no_events`)
    expect(fault).toMatchObject({ code: 'internal-error' })
    expect(coupons.reservationsOf(couponId)).toEqual({ reserved: 0, confirmed: 0, released: 1 })
    expect(await records()).toEqual([])
  })

  it('is created once for concurrent calls with the same Idempotency-Key, which return the same response or 409', async () => {
    const couponId = coupons.add({ limit: 1 })
    const { options, customerId } = newBuyer(checkouts)
    const keyed = { options: withKey(options), customerId }
    const calls = await Promise.allSettled(Array.from({ length: 16 }, () => create(keyed, couponId)))
    const first = await create(keyed, couponId)
    for (const outcome of calls) {
      if (outcome.status === 'fulfilled') expect(outcome.value).toEqual(first)
      else expect(outcome.reason).toMatchObject({ code: 'conflict' })
    }
    expect(coupons.reservationsOf(couponId)).toEqual({ reserved: 1, confirmed: 0, released: 0 })
    expect(await countEvents(checkouts, options.storeId)).toBe(1)
  })

  it('is not created by a call that finds a stored response after loading its order', async () => {
    const couponId = coupons.add({ limit: 1 })
    const { options, customerId } = newBuyer(checkouts)
    const keyed = { options: withKey(options), customerId }
    // The second call has found no stored response and loads its order while the first one completes.
    let resume = () => {}
    const paused = new Promise<void>((resolve) => {
      resume = resolve
    })
    checkouts.others.stores.beforeResponse = async () => {
      checkouts.others.stores.beforeResponse = async () => {}
      await paused
    }
    checkouts.clock.advance(5001)
    const second = create(keyed, couponId)
    await expect.poll(() => checkouts.others.stores.waiting).toBe(1)
    const first = await create(keyed, couponId)
    resume()
    expect(await second).toEqual(first)
    expect(coupons.reservationsOf(couponId)).toEqual({ reserved: 1, confirmed: 0, released: 0 })
    expect(await records()).toEqual([])
  })

  it('is not created for a key that was used for a different order', async () => {
    const couponId = coupons.add({ limit: 1 })
    const { options, customerId } = newBuyer(checkouts)
    const keyed = withKey(options)
    const { stores } = checkouts.others
    let resume = () => {}
    stores.beforeResponse = async () => {
      stores.beforeResponse = async () => {}
      await new Promise<void>((resolve) => {
        resume = resolve
      })
    }
    checkouts.clock.advance(5001)
    const second = faultOf(create({ options: keyed, customerId }, couponId))
    await expect.poll(() => stores.waiting).toBe(1)
    await checkouts.client.createCheckoutSession({ customerId, lines: [inline()] }, keyed)
    resume()
    expect(await second).toMatchObject({ code: 'idempotency-mismatch' })
    expect(coupons.reservationsOf(couponId)).toEqual({ reserved: 0, confirmed: 0, released: 0 })
    expect(await records()).toEqual([])
  })

  it('a killed process has its reservation released after 20 s, and its key can be used again', async () => {
    const couponId = coupons.add({ limit: 1 })
    const { options, customerId } = newBuyer(checkouts)
    const keyed = withKey(options)
    const { storeId } = options
    // The state after a process was killed between reserving and writing the session.
    await checkouts.database.query(sql`
      insert into coupon_reservation (store_id, checkout_id, idempotency_scope, idempotency_key, created_at, next_at)
      values (${storeId}, 77, ${keyed.idempotency?.scope}, ${keyed.idempotency?.key},
        ${checkouts.clock.now()}, ${new Date(checkouts.clock.now().getTime() + 20_000)})`)
    expect(await faultOf(create({ options: keyed, customerId }, couponId))).toMatchObject({ code: 'conflict' })
    checkouts.clock.advance(20_000)
    await expect.poll(() => records()).toEqual([])
    await create({ options: keyed, customerId }, couponId)
    expect(coupons.reservationsOf(couponId)).toMatchObject({ reserved: 1 })
  })

  it('a reservation that cannot be released shows in the metrics', async () => {
    const couponId = coupons.add()
    coupons.beforeReserve = async () => {
      coupons.outage = 'unavailable'
      throw errors.unavailable()
    }
    await faultOf(create(newBuyer(checkouts), couponId))
    await expect
      .poll(metrics)
      .toMatch(/checkout_coupon_reservations\{state="releasing",application="storekeep",service="checkout"\} 1/)
    await expect
      .poll(metrics)
      .toMatch(
        /checkout_coupon_reservation_oldest_age_seconds\{application="storekeep",service="checkout"\} [\d.e-]+\n/,
      )
    coupons.outage = 'none'
    checkouts.clock.advance(70_000)
    await expect
      .poll(metrics)
      .toMatch(/checkout_coupon_reservations\{state="releasing",application="storekeep",service="checkout"\} 0/)
  })

  it('shows in the metrics even while the sweep waits for coupons', async () => {
    const { storeId } = newBuyer(checkouts).options
    coupons.outage = 'hanging'
    // Ten batches of the sweep, each of which waits until its deadline.
    await checkouts.database.query(sql`
      insert into coupon_reservation (store_id, checkout_id, created_at, next_at)
      select ${storeId}, number, ${checkouts.clock.now()}, ${checkouts.clock.now()}
      from generate_series(1, 200) number`)
    await expect.poll(() => records()).toContainEqual({ state: 'releasing' })
    await expect
      .poll(metrics)
      .toMatch(/checkout_coupon_reservations\{state="releasing",application="storekeep",service="checkout"\} [1-9]/)
    coupons.outage = 'none'
    checkouts.clock.advance(10_000)
    await expect.poll(() => records()).toEqual([])
  })
})
