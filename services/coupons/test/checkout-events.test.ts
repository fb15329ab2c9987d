import type { MessageInitShape } from '@bufbuild/protobuf'
import { publishEvent } from '@storekeep/common/events'
import { randomId } from '@storekeep/common/testing'
import type { CheckoutSessionSchema } from '@storekeep/proto/checkout/v1/checkout_session'
import {
  CheckoutSessionCanceledSchema,
  CheckoutSessionCompletedSchema,
  CheckoutSessionCreatedSchema,
  CheckoutSessionExpiredSchema,
} from '@storekeep/proto/checkout/v1/events'
import sql from 'sql-template-tag'
import { describe, expect, it } from 'vitest'
import { createTestCoupon, inStore, useCoupons } from './harness.ts'
import { counts, countsOf, newReservation, outcomeOf, reserve } from './redemptions.ts'

const coupons = useCoupons()
const limitOf1 = { redeemLimitStoreEnabled: true, redeemLimitStoreAmount: 1n }

const schemas = {
  created: CheckoutSessionCreatedSchema,
  completed: CheckoutSessionCompletedSchema,
  canceled: CheckoutSessionCanceledSchema,
  expired: CheckoutSessionExpiredSchema,
}

/** Tells of a session as the checkout service does, and waits until it was heard, as often as it is told. */
async function tell(verb: keyof typeof schemas, session: MessageInitShape<typeof CheckoutSessionSchema>) {
  const heard = async () => (await coupons.database.query(sql`select 1 from consumed_event`)).length
  const before = await heard()
  await coupons.database.transaction((tx) =>
    publishEvent(tx, {
      service: 'checkout',
      aggregate: 'checkout_session',
      verb,
      aggregateId: session.id ?? '',
      aggregateVersion: 2,
      storeId: session.storeId,
      schema: schemas[verb],
      message: { session },
      traceparent: undefined,
    }),
  )
  await expect.poll(heard).toBe(before + 1)
}

async function reserved(options: ReturnType<typeof inStore>) {
  const coupon = await createTestCoupon(coupons, options, limitOf1)
  const { checkoutId, ...reservation } = newReservation(coupons, coupon)
  await coupons.client.reserveRedemption({ ...reservation, checkoutId }, options)
  return { coupon, session: { id: checkoutId, storeId: options.storeId, couponId: coupon.id } }
}

describe('a checkout session', () => {
  it.each(['canceled', 'expired'] as const)(
    'that is %s gives its place back, however often it is told',
    async (verb) => {
      const options = inStore()
      const { coupon, session } = await reserved(options)
      await tell(verb, session)
      await tell(verb, session)
      expect(await countsOf(coupons.database, coupon.id)).toEqual(counts(0))
      expect(await reserve(coupons, options, coupon)).toBe('RESERVED')
    },
  )

  it('that is completed keeps its place for good, even if nobody confirmed it before', async () => {
    const options = inStore()
    const { coupon, session } = await reserved(options)
    await tell('completed', session)
    await tell('completed', session)
    const rows = await coupons.database.query(sql`select state from redemption where checkout_id = ${session.id}`)
    expect(rows).toEqual([{ state: 'confirmed' }])
    expect(await countsOf(coupons.database, coupon.id)).toEqual(counts(1))
  })

  it('that is over before its reservation arrives has that refused', async () => {
    const options = inStore()
    const coupon = await createTestCoupon(coupons, options)
    const checkoutId = randomId()
    await tell('expired', { id: checkoutId, storeId: options.storeId, couponId: coupon.id })
    expect(await reserve(coupons, options, coupon, { checkoutId })).toBe('refused: RELEASED')
  })

  it('that was completed without a place is told in the log', async () => {
    const options = inStore()
    const id = randomId()
    await tell('completed', { id, storeId: options.storeId, couponId: randomId() })
    const line = coupons.logLines.find((one) => one.includes(id))
    expect(line).toContain('a completed checkout has a coupon that is not redeemed')
    expect(line).toContain('"reason":"unknown"')
  })

  it.each(['canceled', 'completed'] as const)(
    'without a coupon leaves the ledger alone when it is %s',
    async (verb) => {
      const options = inStore()
      const id = randomId()
      await tell(verb, { id, storeId: options.storeId })
      expect(await coupons.database.query(sql`select 1 from redemption where checkout_id = ${id}`)).toEqual([])
    },
  )

  it('of another store with the same id touches nothing', async () => {
    const options = inStore()
    const { coupon, session } = await reserved(options)
    await tell('canceled', { ...session, storeId: randomId() })
    expect(await countsOf(coupons.database, coupon.id)).toEqual(counts(1))
    expect(await outcomeOf(coupons.client.confirmRedemption({ checkoutId: session.id }, options))).toBe('CONFIRMED')
  })
})
