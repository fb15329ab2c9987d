import { errors, type ServiceFault, violation } from '@storekeep/common/errors'
import { countEvents, faultOf, violationsOf, withKey } from '@storekeep/common/testing'
import { CouponDiscountType } from '@storekeep/proto/coupons/v1/coupon'
import { RedemptionRefusal } from '@storekeep/proto/coupons/v1/coupons_service'
import sql from 'sql-template-tag'
import { afterEach, describe, expect, it } from 'vitest'
import { createTestSession, inline, newBuyer, useCheckouts } from './harness.ts'

const checkouts = useCheckouts()
const { coupons, customers } = checkouts.others
afterEach(() => {
  Object.assign(coupons, {
    mood: 'well',
    losesAnswers: false,
    keepsSlots: false,
    beforeReserve: async () => {},
    afterReserve: async () => {},
    refusal: RedemptionRefusal.EXHAUSTED,
  })
})

const gift = inline({}, { recipient: { case: 'giftTo', value: { platform: 'steam', id: '76561198000000001' } } })
const limited = { redeemLimitStoreEnabled: true, redeemLimitStoreAmount: 1n }

async function holdsOf(couponId: string) {
  return await checkouts.database.query<{ state: string }>(
    sql`select state from coupon_hold where coupon_id = ${couponId}`,
  )
}

async function metrics() {
  const answer = await fetch(`http://127.0.0.1:${checkouts.running.metricsPort}/metrics`)
  return await answer.text()
}

function create({ options, customerId }: ReturnType<typeof newBuyer>, couponId: string) {
  return checkouts.client.createCheckoutSession({ customerId, lines: [inline()], couponId }, options)
}

describe('the slot of a coupon', () => {
  it('is taken with the session, which leaves no hold behind', async () => {
    const couponId = coupons.add()
    await createTestSession(checkouts, undefined, { couponId })
    expect(coupons.slotsOf(couponId)).toEqual({ reserved: 1, confirmed: 0, released: 0 })
    expect(await holdsOf(couponId)).toEqual([])
  })

  it.each([
    [RedemptionRefusal.EXHAUSTED, 'coupon-exhausted'],
    [RedemptionRefusal.CUSTOMER_LIMIT, 'coupon-customer-limit'],
  ])('is refused when none is left (%s: %s)', async (refusal, code) => {
    const couponId = coupons.add(limited)
    await createTestSession(checkouts, undefined, { couponId })
    coupons.refusal = refusal
    const { violations } = (await faultOf(create(newBuyer(checkouts), couponId))) as ServiceFault
    expect(violations).toMatchObject([{ path: 'coupon_id', code, validation: 'reference' }])
    expect(coupons.slotsOf(couponId)).toEqual({ reserved: 1, confirmed: 0, released: 0 })
    expect(await holdsOf(couponId)).toEqual([])
  })

  it('is granted once of one, however many ask at once', async () => {
    const couponId = coupons.add(limited)
    const calls = await Promise.allSettled(Array.from({ length: 20 }, () => create(newBuyer(checkouts), couponId)))
    expect(calls.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(coupons.slotsOf(couponId)).toEqual({ reserved: 1, confirmed: 0, released: 0 })
  })

  it('makes no customers of the recipients of an order that gets none', async () => {
    const couponId = coupons.add(limited)
    await createTestSession(checkouts, undefined, { couponId })
    const { options, customerId } = newBuyer(checkouts)
    const opened = customers.opened.length
    const order = { customerId, lines: [gift], couponId }
    const call = checkouts.client.createCheckoutSession(order, options)
    expect(await violationsOf(call)).toEqual(['coupon_id reference'])
    expect(customers.opened).toHaveLength(opened)
  })

  it('is given back when a recipient cannot be', async () => {
    const couponId = coupons.add(limited)
    const { options, customerId } = newBuyer(checkouts)
    const order = { customerId, lines: [gift], couponId }
    customers.wrongAccount = violation('platform', 'enum', 'must be one of steam')
    const items = await violationsOf(checkouts.client.createCheckoutSession(order, options))
    customers.wrongAccount = undefined
    expect(items).toEqual(['lines.0.gift_to.platform enum'])
    expect(coupons.slotsOf(couponId)).toEqual({ reserved: 0, confirmed: 0, released: 1 })
    expect(await holdsOf(couponId)).toEqual([])
    await createTestSession(checkouts, { options, customerId }, order)
  })

  it('is given back when nobody knows whether it was taken', async () => {
    const couponId = coupons.add(limited)
    const buyer = newBuyer(checkouts)
    coupons.losesAnswers = true
    expect(await faultOf(create(buyer, couponId))).toMatchObject({ code: 'service-unavailable' })
    expect(coupons.slotsOf(couponId)).toEqual({ reserved: 0, confirmed: 0, released: 1 })
    expect(await holdsOf(couponId)).toEqual([])
    coupons.losesAnswers = false
    await create(buyer, couponId)
  })

  it('that a failed call may have taken is given back by the next one with its key, which gets it', async () => {
    const couponId = coupons.add(limited)
    const { options, customerId } = newBuyer(checkouts)
    const keyed = { options: withKey(options), customerId }
    Object.assign(coupons, { losesAnswers: true, keepsSlots: true })
    expect(await faultOf(create(keyed, couponId))).toMatchObject({ code: 'service-unavailable' })
    expect(await holdsOf(couponId)).toEqual([{ state: 'releasing' }])
    // Nothing runs any more: a careful client that is told of a conflict would wait for nobody.
    expect(await faultOf(create(keyed, couponId))).toMatchObject({ code: 'service-unavailable', retryAfterSeconds: 1 })
    Object.assign(coupons, { losesAnswers: false, keepsSlots: false })
    const both = await Promise.allSettled([create(keyed, couponId), create(keyed, couponId)])
    const outcomes = both.map((one) => (one.status === 'fulfilled' ? 'answered' : one.reason.code))
    expect(outcomes).toContain('answered')
    expect(outcomes.filter((one) => one !== 'answered' && one !== 'conflict')).toEqual([])
    expect(coupons.slotsOf(couponId)).toEqual({ reserved: 1, confirmed: 0, released: 1 })
    expect(await holdsOf(couponId)).toEqual([])
    expect(await countEvents(checkouts, options.storeId)).toBe(1)
  })

  it('is given back by the sweeper when coupons is away at first', async () => {
    const couponId = coupons.add(limited)
    coupons.beforeReserve = async () => {
      coupons.mood = 'away'
    }
    coupons.losesAnswers = true
    expect(await faultOf(create(newBuyer(checkouts), couponId))).toMatchObject({ code: 'service-unavailable' })
    expect(await holdsOf(couponId)).toEqual([{ state: 'releasing' }])
    expect(coupons.slotsOf(couponId).reserved).toBe(1)
    coupons.mood = 'well'
    checkouts.clock.advance(70_000)
    await expect.poll(() => holdsOf(couponId)).toEqual([])
    expect(coupons.slotsOf(couponId)).toEqual({ reserved: 0, confirmed: 0, released: 1 })
  })

  it.each([
    ['beforeReserve', { reserved: 0, confirmed: 0, released: 0 }],
    ['afterReserve', { reserved: 0, confirmed: 0, released: 1 }],
  ] as const)(
    'is given back by the sweeper, and the session not made, when its taker was taken for dead (%s)',
    async (moment, slots) => {
      const couponId = coupons.add(limited)
      const buyer = newBuyer(checkouts)
      coupons[moment] = async () => {
        checkouts.clock.advance(15_001)
        await expect.poll(() => holdsOf(couponId)).toEqual([])
      }
      expect(await faultOf(create(buyer, couponId))).toMatchObject({ code: 'service-unavailable' })
      expect(coupons.slotsOf(couponId)).toEqual(slots)
      expect(await countEvents(checkouts, buyer.options.storeId)).toBe(0)
    },
  )

  it('is given back when the session cannot be written', async () => {
    const couponId = coupons.add()
    const buyer = newBuyer(checkouts)
    await checkouts.database.query(sql`alter table outbox add constraint no_events check (false) not valid`)
    const fault = await faultOf(create(buyer, couponId))
    await checkouts.database.query(sql`alter table outbox drop constraint no_events`)
    expect(fault).toMatchObject({ code: 'internal-error' })
    expect(coupons.slotsOf(couponId)).toEqual({ reserved: 0, confirmed: 0, released: 1 })
    expect(await holdsOf(couponId)).toEqual([])
  })

  it('is taken at the price of the coupon as it is when it has just been changed', async () => {
    const couponId = coupons.add()
    let changes = 0
    coupons.beforeReserve = async () => {
      changes += 1
      if (changes === 1) coupons.change(couponId, { discountType: CouponDiscountType.PERCENT, discountAmount: 200n })
    }
    const session = await createTestSession(checkouts, newBuyer(checkouts), { couponId })
    expect(session).toMatchObject({ couponDiscountAmount: 200n, totalAmount: 800n })
    expect(coupons.slotsOf(couponId)).toEqual({ reserved: 1, confirmed: 0, released: 0 })
  })

  it('is not taken of a coupon that changes again and again', async () => {
    const couponId = coupons.add()
    coupons.beforeReserve = async () => coupons.change(couponId, {})
    expect(await faultOf(create(newBuyer(checkouts), couponId))).toMatchObject({ code: 'conflict' })
    coupons.beforeReserve = async () => coupons.change(couponId, { enabled: false })
    const { violations } = (await faultOf(create(newBuyer(checkouts), couponId))) as ServiceFault
    expect(violations).toMatchObject([{ path: 'coupon_id', code: 'coupon-disabled' }])
    expect(coupons.slotsOf(couponId)).toEqual({ reserved: 0, confirmed: 0, released: 0 })
    expect(await holdsOf(couponId)).toEqual([])
  })

  it('is taken once by calls with one Idempotency-Key, which are all answered the same', async () => {
    const couponId = coupons.add(limited)
    const { options, customerId } = newBuyer(checkouts)
    const keyed = { options: withKey(options), customerId }
    const calls = await Promise.allSettled(Array.from({ length: 16 }, () => create(keyed, couponId)))
    const first = await create(keyed, couponId)
    for (const outcome of calls) {
      if (outcome.status === 'fulfilled') expect(outcome.value).toEqual(first)
      else expect(outcome.reason).toMatchObject({ code: 'conflict' })
    }
    expect(coupons.slotsOf(couponId)).toEqual({ reserved: 1, confirmed: 0, released: 0 })
    expect(await countEvents(checkouts, options.storeId)).toBe(1)
  })

  it('is not asked for by a call that finds itself answered', async () => {
    const couponId = coupons.add(limited)
    const { options, customerId } = newBuyer(checkouts)
    const keyed = { options: withKey(options), customerId }
    // The second call has looked for a kept answer, in vain, and asks about codes while the first one is written.
    let letGo = () => {}
    const held = new Promise<void>((resolve) => {
      letGo = resolve
    })
    checkouts.others.stores.beforeAnswer = async () => {
      checkouts.others.stores.beforeAnswer = async () => {}
      await held
    }
    checkouts.clock.advance(5001)
    const second = create(keyed, couponId)
    await expect.poll(() => checkouts.others.stores.waiting).toBe(1)
    const first = await create(keyed, couponId)
    letGo()
    expect(await second).toEqual(first)
    expect(coupons.slotsOf(couponId)).toEqual({ reserved: 1, confirmed: 0, released: 0 })
    expect(await holdsOf(couponId)).toEqual([])
  })

  it('is not asked for with a key that came with another order', async () => {
    const couponId = coupons.add(limited)
    const { options, customerId } = newBuyer(checkouts)
    const keyed = withKey(options)
    const { stores } = checkouts.others
    let letGo = () => {}
    stores.beforeAnswer = async () => {
      stores.beforeAnswer = async () => {}
      await new Promise<void>((resolve) => {
        letGo = resolve
      })
    }
    checkouts.clock.advance(5001)
    const second = faultOf(create({ options: keyed, customerId }, couponId))
    await expect.poll(() => stores.waiting).toBe(1)
    await checkouts.client.createCheckoutSession({ customerId, lines: [inline()] }, keyed)
    letGo()
    expect(await second).toMatchObject({ code: 'idempotency-mismatch' })
    expect(coupons.slotsOf(couponId)).toEqual({ reserved: 0, confirmed: 0, released: 0 })
    expect(await holdsOf(couponId)).toEqual([])
  })

  it('of a process that died is given back after 15 seconds, and its key is free again', async () => {
    const couponId = coupons.add(limited)
    const { options, customerId } = newBuyer(checkouts)
    const keyed = withKey(options)
    const { storeId } = options
    // As a process leaves it that is killed once the slot is taken.
    await checkouts.database.query(sql`
      insert into coupon_hold (store_id, checkout_id, coupon_id, idempotency_scope, idempotency_key, created_at, next_at)
      values (${storeId}, 77, ${couponId}, ${keyed.idempotency?.scope}, ${keyed.idempotency?.key},
        ${checkouts.clock.now()}, ${new Date(checkouts.clock.now().getTime() + 15_000)})`)
    expect(await faultOf(create({ options: keyed, customerId }, couponId))).toMatchObject({ code: 'conflict' })
    checkouts.clock.advance(15_000)
    await expect.poll(() => holdsOf(couponId)).toEqual([])
    await create({ options: keyed, customerId }, couponId)
    expect(coupons.slotsOf(couponId)).toMatchObject({ reserved: 1 })
  })

  it('that cannot be given back is told by the metrics', async () => {
    const couponId = coupons.add()
    coupons.beforeReserve = async () => {
      coupons.mood = 'away'
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
    coupons.mood = 'well'
    checkouts.clock.advance(70_000)
    await expect
      .poll(metrics)
      .toMatch(/checkout_coupon_reservations\{state="releasing",application="storekeep",service="checkout"\} 0/)
  })

  it('are told by the metrics also while coupons keeps the sweeper waiting', async () => {
    const couponId = coupons.add()
    const { storeId } = newBuyer(checkouts).options
    coupons.mood = 'hanging'
    // Ten batches of the sweeper, each of which waits until its deadline.
    await checkouts.database.query(sql`
      insert into coupon_hold (store_id, checkout_id, coupon_id, created_at, next_at)
      select ${storeId}, number, ${couponId}, ${checkouts.clock.now()}, ${checkouts.clock.now()}
      from generate_series(1, 200) number`)
    await expect.poll(() => holdsOf(couponId)).toContainEqual({ state: 'releasing' })
    await expect
      .poll(metrics)
      .toMatch(/checkout_coupon_reservations\{state="releasing",application="storekeep",service="checkout"\} [1-9]/)
    coupons.mood = 'well'
    checkouts.clock.advance(10_000)
    await expect.poll(() => holdsOf(couponId)).toEqual([])
  })
})
