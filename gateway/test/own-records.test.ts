import { ActorType } from '@storekeep/proto/common/v1/actor'
import { describe, expect, it } from 'vitest'
import { customerMessage } from './fake-services.ts'
import { useGateway } from './harness.ts'

const gateway = useGateway()

async function send(method: string, path: string) {
  const store = gateway.newStore()
  const { authorization, customerId } = store.signIn()
  const headers = { authorization, 'x-service-store-id': store.id }
  return { customerId, ...(await gateway.request(method, `/v1/store/customer${path}`, { headers })) }
}

const operations: [method: string, path: string][] = [
  ['GET', '/orders'],
  ['GET', '/orders/5'],
  ['GET', '/subscriptions'],
  ['GET', '/subscriptions/5'],
  ['DELETE', '/subscriptions/5'],
]

describe.each(operations)('%s /v1/store/customer%s', (method, path) => {
  it('rejects a customer who typed a name, without a call to orders', async () => {
    gateway.services.overrides.verifyToken = async () => {
      const customer = customerMessage('7', '8')
      return { customer: { ...customer, profile: { ...customer.profile, claimed: true } } }
    }
    const before = gateway.services.calls.length
    const { status, body } = await send(method, path)
    expect({ status, body }).toMatchObject({ status: 403, body: { code: 'forbidden' } })
    expect(gateway.services.calls.slice(before).map(({ name }) => name)).not.toContain('getOrder')
  })
})

describe.each([
  ['orders', 'listOrders'],
  ['subscriptions', 'listSubscriptions'],
])('the %s of the signed-in customer', (path, rpc) => {
  it('are asked for by the id of the token, page by page', async () => {
    const { status, body, customerId } = await send('GET', `/${path}?limit=7&after=5`)
    expect(status).toBe(200)
    const { request, call } = gateway.services.calls.findLast(({ name }) => name === rpc) ?? {}
    expect(request).toMatchObject({ customerId, page: { limit: 7, after: '5' } })
    expect(call?.actor).toMatchObject({ type: ActorType.CUSTOMER, id: customerId })
    const [record] = body as { lines: object[] }[]
    for (const field of ['store_id', 'customer_id', 'metadata', 'billing_details', 'provider_reference', 'coupon_id']) {
      expect(record).not.toHaveProperty(field)
    }
    expect(record?.lines[0]).not.toHaveProperty('payout_splits')
  })
})

describe('a record of another customer', () => {
  const foreign = async ({ orderId = '', subscriptionId = '' }: { orderId?: string; subscriptionId?: string }) => {
    const record = { id: orderId || subscriptionId, customerId: '9' }
    return { order: record, subscription: record }
  }

  it.each([
    ['GET', '/orders/5'],
    ['GET', '/subscriptions/5'],
    ['DELETE', '/subscriptions/5'],
  ])('is not found by %s %s', async (method, path) => {
    Object.assign(gateway.services.overrides, { getOrder: foreign, getSubscription: foreign })
    const before = gateway.services.calls.length
    expect((await send(method, path)).status).toBe(404)
    expect(gateway.services.calls.slice(before).map(({ name }) => name)).not.toContain('cancelSubscription')
  })
})

it('a subscription is canceled with its period', async () => {
  const { status } = await send('DELETE', '/subscriptions/5')
  expect(status).toBe(204)
  expect(gateway.received()).toMatchObject({ subscriptionId: '5', now: false })
})
