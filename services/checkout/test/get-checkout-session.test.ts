import { faultOf, randomId, violationsOf } from '@storekeep/common/testing'
import { CheckoutSessionStatus as Status } from '@storekeep/proto/checkout/v1/checkout_session'
import { describe, expect, it } from 'vitest'
import { createTestSession, inStore, newBuyer, useCheckouts } from './harness.ts'

// The sweep does not run during the test.
const checkouts = useCheckouts(async (env) => ({ ...env, SWEEP_INTERVAL_MS: '60000' }))
const get = (checkoutId: string, options = inStore()) => checkouts.client.getCheckoutSession({ checkoutId }, options)

describe('GetCheckoutSession', () => {
  it('returns a session past its end as expired before the sweep has run', async () => {
    const buyer = newBuyer(checkouts)
    const session = await createTestSession(checkouts, buyer)
    expect((await get(session.id, buyer.options)).session).toEqual(session)
    checkouts.clock.advance(24 * 3_600_000)
    expect((await get(session.id, buyer.options)).session).toEqual({ ...session, status: Status.EXPIRED })
    const { sessions } = await checkouts.client.listCheckoutSessions({ status: Status.EXPIRED }, buyer.options)
    expect(sessions).toMatchObject([{ id: session.id, status: Status.EXPIRED }])
    expect((await checkouts.client.listCheckoutSessions({ status: Status.OPEN }, buyer.options)).sessions).toEqual([])
  })

  it('returns not-found for an unknown session and one of another store', async () => {
    const { id } = await createTestSession(checkouts)
    expect(await faultOf(get(randomId()))).toMatchObject({ code: 'not-found' })
    expect(await faultOf(get(id))).toMatchObject({ code: 'not-found' })
  })

  it.each(['x', '0', '01', '-1', '9223372036854775808'])('rejects the malformed id %j', async (id) => {
    expect(await violationsOf(get(id))).toEqual(['checkout_id format'])
  })
})
