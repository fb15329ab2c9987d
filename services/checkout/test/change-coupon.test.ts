import type { ServiceFault } from '@storekeep/common/errors'
import { eventsOf, faultOf, internal, operator, randomId } from '@storekeep/common/testing'
import sql from 'sql-template-tag'
import { afterEach, describe, expect, it } from 'vitest'
import { inline, newBuyer, ofProduct, type Request, shopper, useCheckouts } from './harness.ts'

const checkouts = useCheckouts()
const { coupons } = checkouts.others
afterEach(() => {
  Object.assign(coupons, { outage: 'none', losesResponses: false, failsToRelease: false })
  Object.assign(coupons, { beforeReserve: none, afterReserve: none, beforeConfirm: none })
})
const none = async () => {}

/** A session of 20.00 and the calls of its page. The coupons of the fake deduct 10 %. */
async function aSession(request: Request = {}, buyer = newBuyer(checkouts)) {
  const { options, customerId } = buyer
  const lines = [inline(), inline({}, { quantity: 1 })]
  const created = await checkouts.client.createCheckoutSession({ customerId, lines, ...request }, options)
  const { token, session } = created
  const { storeId } = options
  const of = internal({ storeId })
  const ofPage = shopper(storeId)
  const checkoutId = session?.id ?? ''
  return {
    id: checkoutId,
    storeId,
    token,
    apply: async (couponId: string) =>
      (await checkouts.client.applyCoupon({ token, code: coupons.codeOf(couponId) }, ofPage)).session,
    remove: async () => (await checkouts.client.removeCoupon({ token }, ofPage)).session,
    read: async () => (await checkouts.client.getCheckoutSession({ checkoutId }, options)).session,
    complete: (amount: bigint) => {
      const payment = { paymentId: randomId(), orderId: randomId(), amount, currency: 'eur' }
      return checkouts.client.completeCheckoutSession({ checkoutId, payment }, of)
    },
    of,
    ofPage,
  }
}

/** Options of a call of the page. */
async function records() {
  return await checkouts.database.query<{ state: string }>(sql`select state from coupon_reservation`)
}

const reserved = (couponId: string) => coupons.reservationsOf(couponId)

describe('ApplyCoupon', () => {
  it('changes how many periods of a subscription are discounted', async () => {
    const terms = { allowSubscription: true, subscriptionIntervalValue: 1, subscriptionIntervalScale: 3 } as const
    const session = await aSession({ lines: [inline(terms, { subscription: true })] })
    const applied = await session.apply(coupons.add({ intervals: 4 }))
    expect(applied?.subscription).toMatchObject({ intervalValue: 1, discountedPeriods: 4 })
    expect((await session.remove())?.subscription?.discountedPeriods).toBeUndefined()
    expect((await session.read())?.subscription).toMatchObject({ intervalValue: 1 })
  })

  it('changes the discounts, and releases the coupon before', async () => {
    const [first, second] = [coupons.add(), coupons.add({ limit: 1 })]
    const session = await aSession({ couponId: first })
    const applied = await session.apply(second)
    const amounts = { subtotalAmount: 2000n, couponDiscountAmount: 200n, discountAmount: 200n, totalAmount: 1800n }
    expect(applied).toMatchObject({ couponId: second, couponCode: coupons.codeOf(second), version: 2n, ...amounts })
    expect(applied?.lines).toMatchObject([
      { discountAmount: 100n, totalAmount: 900n },
      { discountAmount: 100n, totalAmount: 900n },
    ])
    expect(await session.read()).toEqual(applied)
    expect(reserved(first)).toEqual({ reserved: 0, confirmed: 0, released: 1 })
    expect(reserved(second)).toEqual({ reserved: 1, confirmed: 0, released: 0 })
    expect(await records()).toEqual([])
    const [, event] = await eventsOf(checkouts, session.id)
    expect(event).toMatchObject({ type: 'checkout_session.updated', version: '2', message: { session: applied } })
  })

  it('changes nothing if the coupon is applied already, even if its limit is 1', async () => {
    const couponId = coupons.add({ limit: 1 })
    const session = await aSession()
    const applied = await session.apply(couponId)
    expect(await session.apply(couponId)).toEqual(applied)
    expect(reserved(couponId)).toMatchObject({ reserved: 1 })
    expect(await eventsOf(checkouts, session.id)).toHaveLength(2)
  })

  it('keeps the prices of the session, and asks for what applies to the products as they are now', async () => {
    const buyer = newBuyer(checkouts)
    const ids = [await checkouts.addProduct(buyer.options), await checkouts.addProduct(buyer.options)]
    const session = await aSession({ lines: ids.map((id) => ofProduct(id)) }, buyer)
    await checkouts.database.query(sql`
      update product set price = 5000, is_coupons_disabled = true where id = ${ids[0]}`)
    await checkouts.database.query(sql`delete from product where id = ${ids[1]}`)
    await session.apply(coupons.add())
    expect(coupons.requests.at(-1)?.lines).toMatchObject([
      { productId: ids[0], amount: 1000n, isCouponsDisabled: true },
      { productId: ids[1], amount: 1000n, isCouponsDisabled: true },
    ])
  })

  it('keeps the affiliate link and computes its discount again', async () => {
    const code = coupons.addLink(50n)
    const session = await aSession({ affiliateCode: code })
    const applied = { affiliateLinkId: coupons.linkId(code), affiliateDiscountAmount: 50n }
    expect(await session.apply(coupons.add())).toMatchObject({ ...applied, totalAmount: 1750n })
    expect(await session.remove()).toMatchObject({ ...applied, totalAmount: 1950n, couponDiscountAmount: 0n })
  })

  it('names a code that cannot be used, and keeps the coupon before', async () => {
    const before = coupons.add()
    const expired = coupons.add({ rejection: 'coupon-expired' })
    const used = coupons.add({ limit: 0 })
    const session = await aSession({ couponId: before })
    const linkCode = coupons.addLink()
    const reasonOf = async (code: string) => {
      const call = checkouts.client.applyCoupon({ token: session.token, code }, session.ofPage)
      const { violations } = (await faultOf(call)) as ServiceFault
      return violations.map((one) => `${one.path} ${one.code}`)
    }
    expect(await reasonOf(coupons.codeOf(expired))).toEqual(['code coupon-expired'])
    expect(await reasonOf(coupons.codeOf(used))).toEqual(['code coupon-exhausted'])
    for (const unknown of ['nothing', linkCode]) expect(await reasonOf(unknown)).toEqual(['code reference'])
    for (const wrong of ['', ' ', 'x'.repeat(65)]) expect(await reasonOf(wrong)).toEqual(['code length'])
    expect(await reasonOf('SALE\0')).toEqual(['code pattern'])
    expect(await session.read()).toMatchObject({ couponId: before, version: 1n })
    expect(reserved(before)).toEqual({ reserved: 1, confirmed: 0, released: 0 })
    expect(await records()).toEqual([])
  })

  it('rejects sessions of other stores, that have ended, and that are being paid, without a call of coupons', async () => {
    const couponId = coupons.add()
    const calls = () => [coupons.requests.length, coupons.releases.length]
    const callsBefore = calls()
    const [foreign, paying, ended] = [await aSession(), await aSession(), await aSession()]
    const request = { token: foreign.token, code: coupons.codeOf(couponId) }
    expect(await faultOf(checkouts.client.applyCoupon(request, shopper(randomId())))).toMatchObject({
      code: 'not-found',
    })
    await checkouts.client.extendCheckoutSession({ checkoutId: paying.id }, paying.of)
    expect(await faultOf(paying.apply(couponId))).toMatchObject({ code: 'conflict' })
    await ended.complete(2000n)
    for (const change of [() => ended.apply(couponId), () => ended.remove()]) {
      expect(await faultOf(change())).toMatchObject({ code: 'conflict' })
    }
    expect(calls()).toEqual(callsBefore)
    expect(await records()).toEqual([])
  })
})

describe('RemoveCoupon', () => {
  it('restores the total, releases the coupon, and lets it be applied again', async () => {
    const couponId = coupons.add({ limit: 1 })
    const session = await aSession({ couponId })
    const removed = await session.remove()
    expect(removed).toMatchObject({ couponDiscountAmount: 0n, totalAmount: 2000n })
    expect(removed?.couponId).toBeUndefined()
    expect(await session.remove()).toEqual(removed)
    expect(await session.apply(couponId)).toMatchObject({ couponId, totalAmount: 1800n })
    expect(reserved(couponId)).toEqual({ reserved: 1, confirmed: 0, released: 1 })
  })

  it('while coupons is unavailable leaves the release to the sweep, and the same shopper can apply it again', async () => {
    const couponId = coupons.add({ limit: 1 })
    const session = await aSession({ couponId })
    coupons.failsToRelease = true
    expect(await session.remove()).toMatchObject({ totalAmount: 2000n })
    expect(await records()).toEqual([{ state: 'releasing' }])
    expect(await faultOf(session.apply(couponId))).toMatchObject({ code: 'service-unavailable' })
    coupons.failsToRelease = false
    expect(await session.apply(couponId)).toMatchObject({ couponId })
    expect(await records()).toEqual([])
  })
})

describe('a change of the coupon', () => {
  it('excludes other changes of the session while it runs', async () => {
    const [first, second] = [coupons.add(), coupons.add()]
    const session = await aSession()
    let concurrent: Promise<unknown> | undefined
    coupons.afterReserve = async () => {
      coupons.afterReserve = none
      concurrent = faultOf(session.apply(second))
      await concurrent
    }
    expect(await session.apply(first)).toMatchObject({ couponId: first })
    expect(await concurrent).toMatchObject({ code: 'conflict' })
    expect(await session.apply(second)).toMatchObject({ couponId: second })
  })

  it('is undone as a whole if the response of coupons is lost, if the event cannot be written, or if the session ends', async () => {
    const [before, after] = [coupons.add(), coupons.add({ limit: 1 })]
    const session = await aSession({ couponId: before })
    const unchanged = async () => {
      expect(await session.read()).toMatchObject({ couponId: before, version: 1n })
      expect(reserved(before)).toEqual({ reserved: 1, confirmed: 0, released: 0 })
      expect(reserved(after).reserved).toBe(0)
      expect(await records()).toEqual([])
    }
    coupons.losesResponses = true
    expect(await faultOf(session.apply(after))).toMatchObject({ code: 'service-unavailable' })
    coupons.losesResponses = false
    await unchanged()
    await checkouts.database.query(sql`alter table outbox add constraint no_events check (false) not valid`)
    expect(await faultOf(session.apply(after))).toMatchObject({ code: 'internal-error' })
    await checkouts.database.query(sql`alter table outbox drop constraint no_events`)
    await unchanged()
    coupons.afterReserve = async () => {
      await checkouts.client.cancelCheckoutSession({ checkoutId: session.id }, operator({ storeId: session.storeId }))
    }
    expect(await faultOf(session.apply(after))).toMatchObject({ code: 'conflict' })
    expect(reserved(after).reserved).toBe(0)
  })

  it.each(['apply', 'remove'] as const)(
    'is rejected if a payment starts to process while it runs (%s)',
    async (how) => {
      const [before, after] = [coupons.add(), coupons.add()]
      const session = await aSession({ couponId: before, affiliateCode: coupons.addLink(50n) })
      const extend = async () => {
        Object.assign(coupons, { beforeReserve: none, afterReserve: none })
        await checkouts.client.extendCheckoutSession({ checkoutId: session.id }, session.of)
      }
      coupons.afterReserve = extend
      expect(await faultOf(how === 'apply' ? session.apply(after) : session.remove())).toMatchObject({
        code: 'conflict',
      })
      expect(await session.read()).toMatchObject({ couponId: before })
      expect(reserved(after).reserved).toBe(0)
      expect(await records()).toEqual([])
    },
  )

  it('a killed process has its reservation released after 20 s, and its change is not written then', async () => {
    const [before, after] = [coupons.add(), coupons.add({ limit: 1 })]
    const session = await aSession({ couponId: before })
    coupons.afterReserve = async () => {
      checkouts.clock.advance(20_001)
      await expect.poll(records).toEqual([])
    }
    expect(await faultOf(session.apply(after))).toMatchObject({ code: 'service-unavailable' })
    expect(await session.read()).toMatchObject({ couponId: before })
    expect(reserved(after)).toEqual({ reserved: 0, confirmed: 0, released: 1 })
    coupons.afterReserve = none
    expect(await session.apply(after)).toMatchObject({ couponId: after })
    // The old one is released by the sweep if the process dies after the commit.
    expect(reserved(before)).toEqual({ reserved: 0, confirmed: 0, released: 1 })
  })

  it('makes a payment of the total before a conflict, and one of the new total complete the session', async () => {
    const couponId = coupons.add()
    const session = await aSession()
    await session.apply(couponId)
    expect(await faultOf(session.complete(2000n))).toMatchObject({ code: 'conflict' })
    await session.complete(1800n)
    expect(reserved(couponId)).toEqual({ reserved: 0, confirmed: 1, released: 0 })
  })

  it('a repeated change with the same Idempotency-Key, after another change, keeps the coupon of the other change', async () => {
    const [first, second] = [coupons.add(), coupons.add()]
    const session = await aSession()
    const idempotency = { key: randomId(), scope: 'test' }
    const request = { token: session.token, code: coupons.codeOf(first) }
    const applyFirst = () => checkouts.client.applyCoupon(request, { ...session.ofPage, idempotency })
    const response = await applyFirst()
    await session.apply(second)
    expect(await applyFirst()).toEqual(response)
    expect(await session.read()).toMatchObject({ couponId: second })
    expect(reserved(second)).toEqual({ reserved: 1, confirmed: 0, released: 0 })
    expect(reserved(first)).toMatchObject({ reserved: 0 })
    expect(await records()).toEqual([])
  })

  it('between the confirmation of the coupon and the completion makes the completion start again', async () => {
    const [first, second] = [coupons.add(), coupons.add()]
    const session = await aSession({ couponId: first })
    coupons.beforeConfirm = async () => {
      coupons.beforeConfirm = none
      await session.apply(second)
    }
    const changedMeanwhile = await faultOf(session.complete(1800n))
    expect(changedMeanwhile).toMatchObject({ code: 'service-unavailable' })
    await session.complete(1800n)
    expect(reserved(second)).toEqual({ reserved: 0, confirmed: 1, released: 0 })
    expect(reserved(first)).toEqual({ reserved: 0, confirmed: 0, released: 1 })
  })

  it('is granted to one of 10 shoppers if the limit is 1', async () => {
    const couponId = coupons.add({ limit: 1 })
    const sessions = await Promise.all(Array.from({ length: 10 }, () => aSession()))
    const outcomes = await Promise.allSettled(sessions.map((session) => session.apply(couponId)))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(reserved(couponId)).toMatchObject({ reserved: 1 })
    expect(await records()).toEqual([])
  })
})
