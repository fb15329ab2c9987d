import { faultOf, isPublished, useServerProxies } from '@storekeep/common/testing'
import { describe, expect, it } from 'vitest'
import { createTestSession, inline, newBuyer, useCheckouts } from './harness.ts'

const servers = useServerProxies()
const checkouts = useCheckouts(servers.between)
const { coupons } = checkouts.others

describe('without Postgres', () => {
  it.each(['cut', 'stall'] as const)(
    'creates no session and reserves no coupon until it recovers (%s)',
    async (how) => {
      const { customerId, options } = newBuyer(checkouts)
      const couponId = coupons.add()
      const order = { customerId, lines: [inline()], couponId }
      servers.postgres[how]()
      const call = checkouts.client.createCheckoutSession(order, { ...options, deadlineMs: 2000 })
      expect(await faultOf(call)).toMatchObject({ code: 'service-unavailable', retryAfterSeconds: expect.any(Number) })
      expect(coupons.reservationsOf(couponId).reserved).toBe(0)
      servers.postgres.pass()
      const again = () =>
        checkouts.client.createCheckoutSession(order, options).then(
          () => 'created',
          () => 'unavailable',
        )
      await expect.poll(again).toBe('created')
    },
  )

  it('releases a new reservation when the session cannot be written', async () => {
    const { customerId, options } = newBuyer(checkouts)
    const couponId = coupons.add()
    coupons.afterReserve = async () => servers.postgres.cut()
    const order = { customerId, lines: [inline()], couponId }
    expect(await faultOf(checkouts.client.createCheckoutSession(order, options))).toMatchObject({
      code: 'service-unavailable',
    })
    coupons.afterReserve = async () => {}
    expect(coupons.reservationsOf(couponId).reserved).toBe(1)
    servers.postgres.pass()
    checkouts.clock.advance(20_001)
    await expect.poll(() => coupons.reservationsOf(couponId)).toEqual({ reserved: 0, confirmed: 0, released: 1 })
  })
})

describe('without NATS', () => {
  it('everything works, and events are published when NATS is back', async () => {
    servers.nats.cut()
    const { id } = await createTestSession(checkouts)
    expect(await isPublished(checkouts, id)).toBe(false)
    servers.nats.pass()
    await expect.poll(() => isPublished(checkouts, id)).toBe(true)
  })
})
