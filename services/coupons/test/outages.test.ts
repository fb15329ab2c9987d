import { faultOf, isPublished, randomId, useServerProxies } from '@storekeep/common/testing'
import { describe, expect, it } from 'vitest'
import { createTestCoupon, inStore, useCoupons } from './harness.ts'
import { counts, countsOf, newReservation, reserveOutcome } from './redemptions.ts'

const servers = useServerProxies()
const coupons = useCoupons(servers.between)

describe('without Postgres', () => {
  it.each(['cut', 'stall'] as const)(
    'a reservation is neither granted nor rejected, and granted once afterwards (%s)',
    async (how) => {
      const options = inStore(randomId(), { deadlineMs: 2000 })
      const terms = { redeemLimitStoreEnabled: true, redeemLimitStoreAmount: 1n }
      const coupon = await createTestCoupon(coupons, options, terms)
      const reservation = newReservation(coupons, coupon)
      const reserve = () => reserveOutcome(coupons.redemptions.reserveCoupon(reservation, options))
      servers.postgres[how]()
      expect(await faultOf(reserve())).toMatchObject({
        code: 'service-unavailable',
        retryAfterSeconds: expect.any(Number),
      })
      servers.postgres.pass()
      await expect.poll(() => reserve().catch(() => 'unavailable')).toBe('RESERVED')
      expect(await countsOf(coupons.database, coupon.id)).toEqual(counts(1))
    },
  )

  it('the process is not ready until Postgres is back', async () => {
    const readyz = async () => (await fetch(`http://127.0.0.1:${coupons.running.metricsPort}/readyz`)).status
    await expect.poll(readyz).toBe(200)
    servers.postgres.cut()
    await expect.poll(readyz).toBe(503)
    servers.postgres.pass()
    await expect.poll(readyz).toBe(200)
  })
})

describe('without NATS', () => {
  it('everything works, and events are published when NATS is back', async () => {
    servers.nats.cut()
    const options = inStore()
    const coupon = await createTestCoupon(coupons, options)
    const reservation = newReservation(coupons, coupon)
    expect(await reserveOutcome(coupons.redemptions.reserveCoupon(reservation, options))).toBe('RESERVED')
    expect(await isPublished(coupons, coupon.id)).toBe(false)
    servers.nats.pass()
    await expect.poll(() => isPublished(coupons, coupon.id)).toBe(true)
  })
})
