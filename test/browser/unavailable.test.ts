import { deriveCallKeys } from '@storekeep/common/crypto'
import { errors } from '@storekeep/common/errors'
import type { RunningHttpServer } from '@storekeep/common/http'
import { randomId, testCallSecret, useFakeService } from '@storekeep/common/testing'
import { freePort } from '@storekeep/local/infra'
import { PaymentsService } from '@storekeep/proto/orders/v1/payments_service'
import { StoresService } from '@storekeep/proto/stores/v1/stores_service'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { readConfig } from '../../services/pages/src/config.ts'
import { start } from '../../services/pages/src/start.ts'
import { asShopper, expectAccessible, headingOf } from './shopper.ts'

interface State {
  down: 'none' | 'checkout' | 'orders'
  /** The email address with which a payment succeeded. */
  paidBy: string
  returnUrl: string
}
const initial: State = { down: 'none', paidBy: '', returnUrl: 'https://shop.example/thanks' }
const state = { ...initial }
const order = { id: randomId(), storeId: randomId(), token: 'a'.repeat(28) }

const stores = useFakeService(StoresService, {
  getStore: async () => ({ store: { id: order.storeId, name: 'Isles' } }),
})
const payments = useFakeService(PaymentsService, {
  getPaymentState: async () => {
    if (state.down === 'checkout') throw errors.unavailable()
    const { id, storeId } = order
    const session = { id, storeId, currency: 'eur', returnUrl: state.returnUrl, autoRedirect: true }
    return { session, ...(state.paidBy && { order: { id, number: 1n } }) }
  },
  listPaymentMethods: async () => ({ providers: [] }),
  startPayment: async ({ billingDetails }) => {
    if (state.down === 'orders') throw errors.unavailable()
    state.paidBy = billingDetails?.billingEmail ?? ''
    return {}
  },
})

let pages: RunningHttpServer
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
    STORE_BASE_URL: `${base}/store`,
    STORES_ADDRESS: stores.address,
    CUSTOMERS_ADDRESS: '127.0.0.1:9',
    CHECKOUT_ADDRESS: '127.0.0.1:9',
    DELIVERY_ADDRESS: '127.0.0.1:9',
    IMAGES_ADDRESS: '127.0.0.1:9',
    CUSTOM_VARIABLES_ADDRESS: '127.0.0.1:9',
    ORDERS_ADDRESS: payments.address,
    CALL_KEYS: deriveCallKeys(testCallSecret, 'pages'),
  })
  pages = await start(config)
  url = `${base}/checkout/?t=${order.token}`
})
afterAll(() => pages.stop())
beforeEach(() => Object.assign(state, initial))

const unavailable = 'Temporarily unavailable'
const thanks = ['https://shop.example/thanks', 'http://shop.example/thanks']

/** Longer than the first retry takes during an outage. */
const retryMs = 10_000

/** Submits the payment form while a service is unavailable, on a page whose clock the test can advance. */
async function failToPay(page: Page, down: 'checkout' | 'orders'): Promise<void> {
  await page.clock.install()
  await page.goto(url)
  await page.getByLabel('Email address').fill('ada@example.com')
  state.down = down
  await page.locator('main form[action*="/pay"] button').click()
  await page.getByRole('heading', { name: unavailable }).waitFor()
}

describe.each([true, false])('a page whose services are unavailable, with JavaScript: %s', (javaScriptEnabled) => {
  it('loads again automatically, or when the shopper presses the button', async () => {
    await asShopper(
      async (page) => {
        await page.clock.install()
        state.down = 'checkout'
        const response = await page.goto(url)
        expect([response?.status(), response?.headers()['retry-after']]).toEqual([503, '1'])
        expect(await headingOf(page)).toBe(unavailable)
        expect(await page.getByText('This page will try again automatically.').isVisible()).toBe(javaScriptEnabled)
        if (javaScriptEnabled) await expectAccessible(page)
        state.down = 'none'
        if (javaScriptEnabled) await page.clock.fastForward(retryMs)
        else await page.getByRole('button', { name: 'Try again' }).click()
        await page.getByRole('heading', { name: 'Your order' }).waitFor()
        expect(page.url()).toContain(url)
      },
      { javaScriptEnabled },
    )
  })

  it.each(thanks.flatMap((returnUrl) => (['checkout', 'orders'] as const).map((down) => [down, returnUrl] as const)))(
    'submits a form again, which leads back to the store: %s, %s',
    async (down, returnUrl) => {
      state.returnUrl = returnUrl
      await asShopper(
        async (page) => {
          await failToPay(page, down)
          const arrival = page.waitForRequest(returnUrl)
          state.down = 'none'
          if (javaScriptEnabled) await page.clock.fastForward(retryMs)
          else await page.getByRole('button', { name: 'Try again' }).click()
          await arrival
          expect(state.paidBy).toBe('ada@example.com')
        },
        { javaScriptEnabled },
      )
    },
  )
})

it.each(['before', 'after'])(
  'a shopper who presses the button just %s the retry submits the form once',
  async (time) => {
    await asShopper(async (page) => {
      // Counts from the start of each document, because the clock also advances automatically.
      await page.addInitScript(`addEventListener('submit', (event) => {
        if (!event.target.hasAttribute('data-retry-seconds')) return
        if (!event.defaultPrevented) window.submissions = (window.submissions ?? 0) + 1
        event.preventDefault()
      })`)
      await failToPay(page, 'orders')
      // While its form is on its way, the button is marked as disabled, but can still be pressed.
      const press = () => page.getByRole('main').getByRole('button').click({ force: true })
      if (time === 'before') await press()
      await page.clock.fastForward(retryMs)
      if (time === 'after') await press()
      expect(await page.evaluate('window.submissions')).toBe(1)
    })
  },
)

it('does not repeat a request that a retry cannot help', async () => {
  await asShopper(async (page) => {
    const response = await page.goto(url.replace('/?', '/unknown?'))
    expect(response?.status()).toBe(404)
    expect(await page.locator('form').count()).toBe(0)
  })
})
