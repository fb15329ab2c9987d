import {
  type CustomerBody,
  expectFault,
  fresh,
  type PortalSessionBody,
  unknownId,
  useSharedSystem,
} from '@storekeep/test/kit'
import { describe, expect, it } from 'vitest'

const { createStore } = await useSharedSystem()
const store = await createStore()
const { body: customer } = await store.post<CustomerBody>('/customers', { name: fresh.name() })

async function open(input?: unknown) {
  return await store.post<PortalSessionBody>(`/customers/${customer.id}/portal-sessions`, input)
}

function lifetimeSeconds({ created_at, expires_at }: PortalSessionBody): number {
  return (Date.parse(expires_at) - Date.parse(created_at)) / 1000
}

describe('POST /customers/{customerId}/portal-sessions', () => {
  it.each([
    ['no body', undefined],
    ['an empty body', {}],
    ['null return_url', { return_url: null }],
  ])('creates a link valid for one hour for %s', async (_, input) => {
    const { status, body, text } = await open(input)
    expect(status, text).toBe(200)
    expect(body).toMatchObject({ store_id: store.id, customer_id: customer.id, flow: null, return_url: null })
    expect(body.id).toMatch(/^[1-9]\d{17,18}$/)
    expect(lifetimeSeconds(body)).toBe(3600)
    expect(body.token).toMatch(/^[a-z2-7]{28}$/)
    expect(body.url).toBe(`https://portal.example.com/?t=${body.token}`)
  })

  it('creates a new token each time', async () => {
    const [first, second] = [await open(), await open()]
    expect(first.body.token).not.toBe(second.body.token)
    expect(first.body.id).not.toBe(second.body.id)
  })

  it.each([
    ['PT1M', 60],
    ['PT90S', 90],
    ['PT1H30M', 5400],
    ['P1D', 86_400],
    ['P7D', 604_800],
    ['P1W', 604_800],
    ['P1DT12H', 129_600],
  ])('accepts an expiry of %s', async (period, seconds) => {
    const { status, body, text } = await open({ expires_in: period })
    expect(status, text).toBe(200)
    expect(lifetimeSeconds(body)).toBe(seconds)
  })

  it('keeps the return_url', async () => {
    const { body } = await open({ return_url: 'https://shop.example.com/account?tab=1' })
    expect(body.return_url).toBe('https://shop.example.com/account?tab=1')
  })

  it.each(['subscription_cancel', 'subscription_payment_method_update'])(
    'rejects the flow %s with an unknown subscription',
    async (name) => {
      const response = await open({ flow: { [name]: { subscription_id: unknownId } } })
      expectFault(response, 'validation-failed', [`flow.${name}.subscription_id reference`])
    },
  )

  it('returns 404 for an unknown customer and for one of another store', async () => {
    const other = await createStore()
    const { body: foreign } = await other.post<CustomerBody>('/customers', { name: 'Foreign' })
    expectFault(await store.post(`/customers/${foreign.id}/portal-sessions`), 'not-found')
    expectFault(await store.post(`/customers/${unknownId}/portal-sessions`), 'not-found')
  })
})
