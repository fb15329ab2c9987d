import { errors, violation } from '@storekeep/common/errors'
import { faultOf, violationsOf } from '@storekeep/common/testing'
import sql from 'sql-template-tag'
import { afterEach, describe, expect, it } from 'vitest'
import { createTestSession, inline, inStore, newBuyer, type Request, useCheckouts } from './harness.ts'

const checkouts = useCheckouts()
const { bans, coupons, customers } = checkouts.others
afterEach(() => {
  bans.outage = 'none'
})

const identities = {
  name: 'Robin',
  steamId: '76561198000000001',
  minecraftUuid: '069a79f4-44e9-4726-a5be-fca90e38aaf5',
  xboxXuid: '2533274792395000',
}

async function count(table: 'checkout_session' | 'coupon_reservation', storeId: string) {
  const rows =
    table === 'checkout_session'
      ? await checkouts.database.query(sql`select 1 from checkout_session where store_id = ${storeId}`)
      : await checkouts.database.query(sql`select 1 from coupon_reservation where store_id = ${storeId}`)
  return rows.length
}

describe('the ban check', () => {
  it('includes every identity of the customer', async () => {
    const { options } = newBuyer(checkouts)
    const customerId = customers.add(options.storeId, identities)
    const details: Request = { customerDetails: { billingEmail: 'robin@example.org' }, customerIp: '::ffff:192.0.2.1' }
    await createTestSession(checkouts, { options, customerId }, details)
    expect(bans.checked.toSorted()).toEqual([
      `CUSTOMER ${customerId}`,
      'CUSTOMER_NAME Robin',
      'EMAIL robin@example.org',
      'IP ::ffff:192.0.2.1',
      'MINECRAFT_UUID 069a79f4-44e9-4726-a5be-fca90e38aaf5',
      'STEAM 76561198000000001',
      'XBOX_XUID 2533274792395000',
    ])
    await createTestSession(checkouts, newBuyer(checkouts))
    expect(bans.checked).toHaveLength(1)
  })

  it('rejects a banned customer without revealing what is wrong with the order', async () => {
    const options = inStore()
    const customerId = customers.add(options.storeId, identities)
    bans.ban(`CUSTOMER ${customerId}`)
    const coupon = coupons.add({ rejection: 'coupon-disabled' })
    const order = { customerId, lines: [inline({}, { subscription: true })], promoCodes: ['unknown'], couponId: coupon }
    const fault = await faultOf(checkouts.client.createCheckoutSession(order, options))
    expect(fault).toMatchObject({ code: 'customer-banned', violations: [] })
    expect(await count('checkout_session', options.storeId)).toBe(0)
  })

  it('runs after the order and the customer are validated', async () => {
    const { options, customerId } = newBuyer(checkouts)
    bans.ban(`CUSTOMER ${customerId}`)
    const call = checkouts.client.createCheckoutSession({ customerId, lines: [] }, options)
    expect(await violationsOf(call)).toEqual(['lines length'])
    bans.outage = 'unavailable'
    const unknown = checkouts.client.createCheckoutSession({ customerId: '7', lines: [inline()] }, options)
    expect(await violationsOf(unknown)).toEqual(['customer_id reference'])
  })

  it('creates no session when bans rejects the request, and does not retry it', async () => {
    const { options, customerId } = newBuyer(checkouts)
    const calls = bans.calls
    bans.rejection = errors.validationFailed([violation('identities.0.ban_type_value', 'format', 'must be a name')])
    const fault = await faultOf(checkouts.client.createCheckoutSession({ customerId, lines: [inline()] }, options))
    bans.rejection = undefined
    expect(fault).toMatchObject({ code: 'internal-error', violations: [] })
    expect(bans.calls - calls).toBe(1)
    expect(await count('checkout_session', options.storeId)).toBe(0)
    expect(checkouts.logLines.join('')).toContain('identities.0.ban_type_value: must be a name')
  })

  it.each(['unavailable', 'broken', 'hanging'] as const)('creates no session while bans is %s', async (outage) => {
    const { options, customerId } = newBuyer(checkouts)
    const couponId = coupons.add()
    bans.outage = outage
    const order = { customerId, lines: [inline()], couponId }
    const fault = await faultOf(checkouts.client.createCheckoutSession(order, options))
    expect(fault).toMatchObject({ code: 'service-unavailable', retryAfterSeconds: 1 })
    expect(await count('checkout_session', options.storeId)).toBe(0)
    expect(await count('coupon_reservation', options.storeId)).toBe(0)
    expect(coupons.reservationsOf(couponId)).toEqual({ reserved: 0, confirmed: 0, released: 0 })
    bans.outage = 'none'
    await createTestSession(checkouts, { options, customerId }, { couponId })
  })
})

describe.each(['unavailable', 'broken'] as const)('a service that is %s', (outage) => {
  it.each(['stores', 'customers', 'coupons', 'customVariables'] as const)(
    'causes a 503 and not a client error: %s',
    async (name) => {
      const { options, customerId } = newBuyer(checkouts)
      const order = {
        customerId,
        lines: [inline({}, { customVariables: { a: 'b' } })],
        promoCodes: [coupons.codeOf(coupons.add())],
      }
      // The currency of a new store is not cached yet.
      checkouts.others[name].outage = outage
      const fault = await faultOf(checkouts.client.createCheckoutSession(order, options))
      checkouts.others[name].outage = 'none'
      expect(fault).toMatchObject({ code: 'service-unavailable' })
      await createTestSession(checkouts, { options, customerId }, order)
    },
  )
})
