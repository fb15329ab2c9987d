import { errors } from '@storekeep/common/errors'
import { randomId, useFakeService } from '@storekeep/common/testing'
import { PaymentsService } from '@storekeep/proto/orders/v1/payments_service'
import { StoresService } from '@storekeep/proto/stores/v1/stores_service'
import { afterEach, describe, expect, it } from 'vitest'
import { type Sent, startPages } from './start-pages.ts'

const [known, other] = ['a'.repeat(28), 'b'.repeat(28)]
const stores = useFakeService(StoresService, { getStore: async () => ({ store: { id: '1', name: 'Isles' } }) })
const orders = useFakeService(PaymentsService, {
  getPaymentState: async ({ token }) => {
    if (token !== known && token !== other) throw errors.notFound('checkout session')
    return { session: { id: randomId(), storeId: '1', totalAmount: 100n, currency: 'eur' } }
  },
  listPaymentMethods: async () => ({ providers: [] }),
  checkWebhookReceiver: async () => ({}),
  handleWebhook: async () => ({}),
})

let pages: Awaited<ReturnType<typeof startPages>> | undefined
afterEach(() => pages?.stop())

const services = () => ({
  STORES_ADDRESS: stores.address,
  ORDERS_ADDRESS: orders.address,
})

const unknown = (letter: string) => `/?t=${letter.repeat(28)}`
const cases: [policy: string, setting: string, requests: Sent[], exempt: Sent][] = [
  [
    'address',
    'RATE_LIMIT_ADDRESS_PER_MINUTE',
    [{ path: '/' }, { path: '/' }, { path: '/' }],
    { path: '/', from: '192.0.2.2' },
  ],
  [
    'form-address',
    'RATE_LIMIT_FORM_ADDRESS_PER_MINUTE',
    [
      { path: '/pay', form: 'x=1' },
      { path: '/coupon', form: 'x=1' },
      { path: '/test-payment', form: 'x=1' },
    ],
    { path: '/' },
  ],
  // Also the limit on guessing codes, from any number of addresses.
  [
    'form-token',
    'RATE_LIMIT_FORM_TOKEN_PER_MINUTE',
    [
      { path: `/pay?t=${known}`, form: 'email=x' },
      { path: `/test-payment?t=${known}`, form: 'decision=x', from: '192.0.2.2' },
      { path: `/coupon?t=${known}`, form: 'code=A', from: '192.0.2.3' },
    ],
    { path: `/pay?t=${other}`, form: 'email=x' },
  ],
  [
    'unknown-token',
    'RATE_LIMIT_UNKNOWN_TOKEN_PER_MINUTE',
    [{ path: unknown('c') }, { path: unknown('d') }, { path: unknown('e') }],
    { path: unknown('f'), from: '192.0.2.2' },
  ],
  [
    'webhook-store',
    'RATE_LIMIT_WEBHOOK_STORE_PER_MINUTE',
    [1, 2, 3].map(() => ({ path: '/webhooks/stripe/7', form: '{}', headers: { 'stripe-signature': 't=1' } })),
    // Other clients cannot use up the quota of the provider.
    { path: '/webhooks/stripe/7', form: '{}', headers: { 'stripe-signature': 't=1' }, from: '192.0.2.2' },
  ],
  // Unknown stores share the quota of their address.
  [
    'webhook-address',
    'RATE_LIMIT_WEBHOOK_ADDRESS_PER_MINUTE',
    [11, 12, 13].map((storeId) => ({ path: `/webhooks/stripe/${storeId}`, form: '{}' })),
    { path: '/webhooks/stripe/14', form: '{}', from: '192.0.2.2' },
  ],
]

describe('a limit of the pages', () => {
  it.each(cases)(
    'rejects requests beyond the quota of %s for a minute, and no others',
    async (policy, setting, requests, exempt) => {
      pages = await startPages({ ...services(), [setting]: '2' })
      const { send, limited, time } = pages
      const [first, second, third] = requests as [Sent, Sent, Sent]
      const before = [await send(first), await send(second)]
      expect(before.map(({ status }) => status)).not.toContain(429)
      const rejected = await send(third)
      expect(rejected.status).toBe(429)
      expect(Number(rejected.retryAfter)).toBeGreaterThan(0)
      expect(await limited(policy)).toBe(1)
      expect((await send(exempt)).status).not.toBe(429)
      time.ms += 120_000
      expect((await send(third)).status).not.toBe(429)
    },
  )

  it.each(cases)(
    'negative control: with a large quota of %s no request is rejected',
    async (policy, setting, requests) => {
      pages = await startPages({ ...services(), [setting]: '1000000' })
      const { send, limited } = pages
      for (const one of requests) expect((await send(one)).status).not.toBe(429)
      expect(await limited(policy)).toBe(0)
    },
  )
})

it('a link that exists opens, though unknown links have used up the quota of its address', async () => {
  pages = await startPages({ ...services(), RATE_LIMIT_UNKNOWN_TOKEN_PER_MINUTE: '2' })
  for (const letter of ['c', 'd', 'e']) await pages.send({ path: unknown(letter) })
  expect((await pages.send({ path: unknown('f') })).status).toBe(429)
  expect((await pages.send({ path: `/?t=${known}` })).status).toBe(200)
})
