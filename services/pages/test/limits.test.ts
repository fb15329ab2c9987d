import { request } from 'node:http'
import { errors } from '@storekeep/common/errors'
import { deriveCallKeys } from '@storekeep/common/identity'
import { randomId, testCallSecret, useFakeService } from '@storekeep/common/testing'
import { CheckoutService } from '@storekeep/proto/checkout/v1/checkout_service'
import { PaymentsService } from '@storekeep/proto/orders/v1/payments_service'
import { StoresService } from '@storekeep/proto/stores/v1/stores_service'
import { afterEach, describe, expect, it } from 'vitest'
import { readConfig } from '../src/config.ts'
import { type RunningPages, start } from '../src/start.ts'

const [known, other] = ['a'.repeat(28), 'b'.repeat(28)]
const checkout = useFakeService(CheckoutService, {
  getCheckoutByToken: async ({ token }) => {
    if (token !== known && token !== other) throw errors.notFound('checkout session')
    return { session: { id: randomId(), storeId: '1', totalAmount: 100n, currency: 'eur' } }
  },
})
const stores = useFakeService(StoresService, { getStore: async () => ({ store: { id: '1', name: 'Isles' } }) })
const orders = useFakeService(PaymentsService, { getPaymentState: async () => ({}) })

let pages: RunningPages | undefined
afterEach(() => pages?.stop())

/** Starts the pages behind a proxy, with a clock that stands still. @returns a function that sends a request */
async function startPages(settings: Record<string, string>) {
  const time = { ms: 0 }
  const config = readConfig({
    PORT: '0',
    METRICS_PORT: '0',
    LOG_LEVEL: 'fatal',
    CHECKOUT_BASE_URL: 'https://pay.example',
    PORTAL_BASE_URL: 'https://me.example',
    STORES_ADDRESS: stores.address,
    CUSTOMERS_ADDRESS: '127.0.0.1:1',
    CHECKOUT_ADDRESS: checkout.address,
    ORDERS_ADDRESS: orders.address,
    CALL_KEYS: deriveCallKeys(testCallSecret, 'pages'),
    TRUSTED_PROXIES: '127.0.0.0/8',
    REQUEST_TIMEOUT_MS: '15000',
    ...settings,
  })
  const running = await start(config, { clock: { now: () => new Date(0), monotonicMs: () => time.ms } })
  pages = running
  const send = ({ path, form, from = '192.0.2.1' }: Sent): Promise<Response> =>
    new Promise((resolve, reject) => {
      const headers = {
        host: 'pay.example',
        origin: 'https://pay.example',
        'x-forwarded-for': from,
        ...(form && { 'content-type': 'application/x-www-form-urlencoded' }),
      }
      const method = form === undefined ? 'GET' : 'POST'
      request({ host: '127.0.0.1', port: running.port, path, method, headers }, (response) => {
        response.resume()
        response.once('end', () => {
          resolve({ status: response.statusCode ?? 0, retryAfter: response.headers['retry-after'] })
        })
      })
        .once('error', reject)
        .end(form)
    })
  const limited = async (policy: string) => {
    const text = await (await fetch(`http://127.0.0.1:${running.metricsPort}/metrics`)).text()
    return Number(new RegExp(`^rate_limited_requests_total\\{policy="${policy}".*\\} (\\d+)$`, 'm').exec(text)?.[1])
  }
  return { send, limited, time }
}

interface Sent {
  path: string
  /** The body of a form. */
  form?: string
  from?: string
}

interface Response {
  status: number
  retryAfter: string | undefined
}

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
    [1, 2, 3].map(() => ({ path: '/webhooks/stripe/7', form: '{}' })),
    // Other clients cannot use up the quota of the provider.
    { path: '/webhooks/stripe/7', form: '{}', from: '192.0.2.2' },
  ],
]

describe('a limit of the pages', () => {
  it.each(cases)(
    'rejects requests beyond the quota of %s for a minute, and no others',
    async (policy, setting, requests, exempt) => {
      const { send, limited, time } = await startPages({ [setting]: '2' })
      const [first, second, third] = requests as [Sent, Sent, Sent]
      const before = [await send(first), await send(second)]
      expect(before.map(({ status }) => status)).not.toContain(429)
      const refused = await send(third)
      expect(refused.status).toBe(429)
      expect(Number(refused.retryAfter)).toBeGreaterThan(0)
      expect(await limited(policy)).toBe(1)
      expect((await send(exempt)).status).not.toBe(429)
      time.ms += 120_000
      expect((await send(third)).status).not.toBe(429)
    },
  )

  it.each(cases)(
    'negative control: with a large quota of %s no request is rejected',
    async (policy, setting, requests) => {
      const { send, limited } = await startPages({ [setting]: '1000000' })
      for (const one of requests) expect((await send(one)).status).not.toBe(429)
      expect(await limited(policy)).toBe(0)
    },
  )
})
