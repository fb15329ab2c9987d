import type { MessageInitShape } from '@bufbuild/protobuf'
import { publishEvent } from '@storekeep/common/events'
import { randomId, useRelay } from '@storekeep/common/testing'
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
import { counts, countsOf, newReservation, outcomeOf, reserve, storeLimit } from './redemptions.ts'

const coupons = useCoupons()
useRelay(coupons)
const limitOf1 = storeLimit(1n)

const schemas = {
  created: CheckoutSessionCreatedSchema,
  completed: CheckoutSessionCompletedSchema,
  canceled: CheckoutSessionCanceledSchema,
  expired: CheckoutSessionExpiredSchema,
}

/** Publishes an event of a session as the checkout service does, and waits until it is consumed. */
async function publish(verb: keyof typeof schemas, session: MessageInitShape<typeof CheckoutSessionSchema>) {
  const consumed = async () => (await coupons.database.query(sql`select 1 from consumed_event`)).length
  const before = await consumed()
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
  await expect.poll(consumed).toBe(before + 1)
}

async function reserved(options: ReturnType<typeof inStore>) {
  const coupon = await createTestCoupon(coupons, options, limitOf1)
  const reservation = newReservation(coupons, coupon)
  const { checkoutId } = reservation
  await coupons.redemptions.reserveCoupon(reservation, options)
  return { coupon, session: { id: checkoutId, storeId: options.storeId, couponId: coupon.id } }
}

describe('a checkout session', () => {
  it.each(['canceled', 'expired'] as const)(
    'that is %s releases its redemption once, even if the event is repeated',
    async (verb) => {
      const options = inStore()
      const { coupon, session } = await reserved(options)
      await publish(verb, session)
      await publish(verb, session)
      expect(await countsOf(coupons.database, coupon.id)).toEqual(counts(0))
      expect(await reserve(coupons, options, coupon)).toBe('RESERVED')
    },
  )

  it('that is completed confirms its redemption, even if the checkout has not', async () => {
    const options = inStore()
    const { coupon, session } = await reserved(options)
    await publish('completed', session)
    await publish('completed', session)
    const rows = await coupons.database.query(sql`select state from redemption where checkout_id = ${session.id}`)
    expect(rows).toEqual([{ state: 'confirmed' }])
    expect(await countsOf(coupons.database, coupon.id)).toEqual(counts(1))
  })

  it.each([
    ['completed', 'confirmed'],
    ['canceled', 'released'],
  ] as const)('that is %s after its coupon was changed makes the redemption of the new one %s', async (verb, state) => {
    const options = inStore()
    const { coupon, session } = await reserved(options)
    await publish(verb, { ...session, id: randomId(), redemptionId: session.id })
    const rows = await coupons.database.query(sql`select state from redemption where coupon_id = ${coupon.id}`)
    expect(rows).toEqual([{ state }])
  })

  it('that has ended before its reservation arrives cannot reserve', async () => {
    const options = inStore()
    const coupon = await createTestCoupon(coupons, options)
    const checkoutId = randomId()
    await publish('expired', { id: checkoutId, storeId: options.storeId, couponId: coupon.id })
    expect(await reserve(coupons, options, coupon, { checkoutId })).toBe('conflict')
  })

  it('that is completed without a redemption is logged', async () => {
    const options = inStore()
    const id = randomId()
    await publish('completed', { id, storeId: options.storeId, couponId: randomId() })
    const line = coupons.logLines.find((one) => one.includes(id))
    expect(line).toContain('coupon redemption of a completed checkout not confirmed')
    expect(line).toContain('"reason":"unknown"')
  })

  it.each(['canceled', 'completed'] as const)(
    'without a coupon leaves the ledger unchanged when it is %s',
    async (verb) => {
      const options = inStore()
      const id = randomId()
      await publish(verb, { id, storeId: options.storeId })
      expect(await coupons.database.query(sql`select 1 from redemption where checkout_id = ${id}`)).toEqual([])
    },
  )

  it('of another store with the same id changes nothing', async () => {
    const options = inStore()
    const { coupon, session } = await reserved(options)
    await publish('canceled', { ...session, storeId: randomId() })
    expect(await countsOf(coupons.database, coupon.id)).toEqual(counts(1))
    expect(await outcomeOf(coupons.redemptions.confirmRedemption({ checkoutId: session.id }, options))).toBe(
      'CONFIRMED',
    )
  })
})
