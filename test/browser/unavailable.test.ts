import { errors } from '@storekeep/common/errors'
import { deriveCallKeys } from '@storekeep/common/identity'
import { randomId, testCallSecret, useFakeService } from '@storekeep/common/testing'
import { freePort } from '@storekeep/local/infra'
import { CheckoutService } from '@storekeep/proto/checkout/v1/checkout_service'
import { PaymentsService } from '@storekeep/proto/orders/v1/payments_service'
import { StoresService } from '@storekeep/proto/stores/v1/stores_service'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { readConfig } from '../../services/pages/src/config.ts'
import { type RunningPages, start } from '../../services/pages/src/start.ts'
import { asShopper, expectFits, headingOf } from './shopper.ts'

/** Who is down, and the e-mail address with which a payment succeeded. */
const state = { down: 'nobody' as 'nobody' | 'checkout' | 'orders', paidBy: '' }
const order = { id: randomId(), storeId: randomId(), token: 'a'.repeat(28) }

const checkout = useFakeService(CheckoutService, {
  getCheckoutByToken: async () => {
    if (state.down === 'checkout') throw errors.unavailable()
    const { id, storeId } = order
    return { session: { id, storeId, currency: 'eur', returnUrl: 'https://shop.example/thanks', autoRedirect: true } }
  },
})
const stores = useFakeService(StoresService, {
  getStore: async () => ({ store: { id: order.storeId, name: 'Isles' } }),
})
const payments = useFakeService(PaymentsService, {
  getPaymentState: async () => (state.paidBy ? { order: { id: order.id, number: 1n } } : {}),
  listPaymentMethods: async () => ({ providers: [] }),
  startPayment: async ({ billingDetails }) => {
    if (state.down === 'orders') throw errors.unavailable()
    state.paidBy = billingDetails?.billingEmail ?? ''
    return {}
  },
})

let pages: RunningPages
let url = ''
beforeAll(async () => {
  const port = await freePort()
  const base = `http://localhost:${port}`
  const config = readConfig({
    PORT: String(port),
    METRICS_PORT: '0',
    LOG_LEVEL: 'fatal',
    REQUEST_TIMEOUT_MS: '15000',
    CHECKOUT_BASE_URL: `${base}/checkout`,
    PORTAL_BASE_URL: `${base}/portal`,
    STORES_ADDRESS: stores.address,
    CUSTOMERS_ADDRESS: '127.0.0.1:9',
    CHECKOUT_ADDRESS: checkout.address,
    ORDERS_ADDRESS: payments.address,
    CALL_KEYS: deriveCallKeys(testCallSecret, 'pages'),
  })
  pages = await start(config)
  url = `${base}/checkout/?t=${order.token}`
})
afterAll(() => pages.stop())
beforeEach(() => Object.assign(state, { down: 'nobody', paidBy: '' }))

const unavailable = 'Temporarily unavailable'

describe.each([true, false])('a page whose services are unavailable, with script: %s', (javaScriptEnabled) => {
  it('loads again by itself', async () => {
    await asShopper(
      async (page) => {
        state.down = 'checkout'
        const response = await page.goto(url)
        expect([response?.status(), response?.headers()['retry-after']]).toEqual([503, '1'])
        expect(await headingOf(page)).toBe(unavailable)
        if (javaScriptEnabled) await expectFits(page)
        state.down = 'nobody'
        await page.getByRole('heading', { name: 'Your order' }).waitFor()
        expect(page.url()).toBe(url)
      },
      { javaScriptEnabled },
    )
  })

  it.each(['checkout', 'orders'] as const)(
    'submits a form again, which leads back to the store: %s',
    async (service) => {
      await asShopper(
        async (page) => {
          await page.goto(url)
          await page.getByLabel('E-mail address').fill('ada@example.com')
          state.down = service
          await page.locator('main form[action*="/pay"] button').click()
          await page.getByRole('heading', { name: unavailable }).waitFor()
          const arrival = page.waitForRequest('https://shop.example/thanks')
          state.down = 'nobody'
          if (!javaScriptEnabled) await page.getByRole('button', { name: 'Try again' }).click()
          await arrival
          expect(state.paidBy).toBe('ada@example.com')
        },
        { javaScriptEnabled },
      )
    },
  )
})

it('does not repeat a request that a retry cannot help', async () => {
  await asShopper(async (page) => {
    const response = await page.goto(url.replace('/?', '/unknown?'))
    expect(response?.status()).toBe(404)
    expect(await page.locator('meta[http-equiv=refresh], form').count()).toBe(0)
  })
})
