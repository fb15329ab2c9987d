import { describe, expect, it } from 'vitest'
import { itemsOf, useGateway } from './harness.ts'
import { newId } from './ids.ts'

const gateway = useGateway()
// The customer of the fake's subscriptions.
const path = '/customers/411486491630370816/portal-sessions'
const subscription = { subscription_id: '411486491630370900' }

describe('POST /customers/{customerId}/portal-sessions', () => {
  it.each([
    [undefined, 3600],
    [{}, 3600],
    [{ expires_in: null, flow: null, return_url: null }, 3600],
    [{ expires_in: 'PT1M' }, 60],
    [{ expires_in: 'PT1H30M' }, 5400],
    [{ expires_in: 'P1DT12H' }, 129_600],
    [{ expires_in: 'P1W' }, 604_800],
    [{ expires_in: 'PT604800S' }, 604_800],
  ])('with %j expires after %i s', async (json, expiresInSeconds) => {
    const { body } = await gateway.newStore().send('POST', path, { json })
    expect(gateway.services.calls.at(-1)?.request).toMatchObject({ expiresInSeconds })
    expect(body).toMatchObject({ flow: null, return_url: null, created_at: '2026-11-20T14:35:17.000Z' })
  })

  it.each(['subscription_cancel', 'subscription_payment_method_update'])('opens the flow %s', async (kind) => {
    const json = { flow: { [kind]: subscription }, return_url: 'https://shop.example.com/a?b=c#d' }
    const { body } = await gateway.newStore().send('POST', path, { json })
    const none = { subscription_cancel: null, subscription_payment_method_update: null }
    expect(body).toMatchObject({ flow: { ...none, [kind]: subscription }, return_url: json.return_url })
  })

  it.each(['subscription_cancel', 'subscription_payment_method_update'])(
    'creates no session for the flow %s with a subscription of another customer',
    async (kind) => {
      const others = `/customers/${newId()}/portal-sessions`
      const response = await gateway.newStore().send('POST', others, { json: { flow: { [kind]: subscription } } })
      expect(response.status).toBe(400)
      expect(itemsOf(response)).toEqual([`flow.${kind}.subscription_id reference`])
      expect(gateway.services.calls.at(-1)?.request).not.toHaveProperty('expiresInSeconds')
    },
  )

  it.each([
    [{ expires_in: 'PT59S' }, ['expires_in min']],
    [{ expires_in: 'PT0S' }, ['expires_in min']],
    [{ expires_in: 'P7DT1S' }, ['expires_in max']],
    [{ expires_in: 'P999999999W' }, ['expires_in max']],
    [{ expires_in: 'P1M' }, ['expires_in format']],
    [{ expires_in: '1 hour' }, ['expires_in format']],
    [{ expires_in: 'P' }, ['expires_in format']],
    [{ expires_in: 'P1DT' }, ['expires_in format']],
    [{ expires_in: '-PT1H' }, ['expires_in format']],
    [{ expires_in: 'pt1h' }, ['expires_in format']],
    [{ expires_in: 3600 }, ['expires_in type']],
    [{ return_url: '/account' }, ['return_url format']],
    [{ return_url: '//evil.example.com' }, ['return_url format']],
    [{ return_url: 'javascript:alert(1)' }, ['return_url format']],
    [{ return_url: 'https://a:b@shop.example.com' }, ['return_url format']],
    [{ return_url: 'https://shop.example.com\\@evil' }, ['return_url format']],
    [{ return_url: 'https://shop.example.com/ x' }, ['return_url format']],
    [{ return_url: `https://shop.example.com/${'x'.repeat(2048)}` }, ['return_url length']],
    [{ return_url: 5 }, ['return_url type']],
    [{ flow: 'subscription_cancel' }, ['flow type']],
    [{ flow: { subscription_cancel: {} } }, ['flow.subscription_cancel.subscription_id required']],
    [{ flow: { subscription_cancel: { subscription_id: 5 } } }, ['flow.subscription_cancel.subscription_id type']],
    [{ flow: { subscription_cancel: { subscription_id: 'x' } } }, ['flow.subscription_cancel.subscription_id format']],
    [
      { flow: { subscription_cancel: subscription, subscription_payment_method_update: subscription } },
      ['flow.subscription_payment_method_update exclusive'],
    ],
  ])('rejects %j', async (json, items) => {
    expect(itemsOf(await gateway.newStore().send('POST', path, { json }))).toEqual(items)
  })
})
