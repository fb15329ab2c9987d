import type { Page } from 'playwright-core'
import { describe, expect, inject, it } from 'vitest'
import { apiVersion } from '../../services/orders/src/adapters/providers/stripe-provider.ts'
import { signed, stripeSecrets } from '../../services/orders/test/fake-stripe.ts'
import { useSharedSystem } from '../kit/index.ts'
import { checkoutPages, enterEmail, pay, success } from './checkout-page.ts'
import { asShopper, expectAccessible, headingOf } from './shopper.ts'
import { useDatabase } from './use-database.ts'

const system = await useSharedSystem()
const { pagesUrl = '' } = inject('system')
const { aCheckout } = checkoutPages(system, pagesUrl)
const { database } = useDatabase()

async function payWith(page: Page, method: string): Promise<void> {
  await enterEmail(page)
  await page.getByLabel(method).check()
  await page.getByRole('button', { name: 'Pay €37.50' }).click()
}

describe('a manual payment', () => {
  it('shows the instructions, the amount and the reference, until the staff has the money', async () => {
    const { url, store, shop, id } = await aCheckout()
    const manual_instructions = 'Bank: ACME\nIBAN: DE00 1234'
    await store.patch('/payment-settings', { enabled_providers: ['manual', 'test'], manual_instructions })
    await asShopper(async (page) => {
      await page.goto(url)
      await payWith(page, 'Bank transfer or cash')
      await page.getByRole('heading', { name: 'Pay the store' }).waitFor()
      expect(await page.locator('.instructions').textContent()).toBe(manual_instructions)
      expect(await page.getByRole('definition').allInnerTexts()).toEqual(['€37.50', id])
      await expectAccessible(page)
      // The money may be on its way, so its amount stays as it is.
      await page.getByRole('link', { name: 'Choose another payment method' }).click()
      await page.getByRole('button', { name: 'Pay €37.50' }).waitFor()
      expect(await page.getByLabel('Coupon code').count()).toBe(0)
      const { code } = await shop.coupon()
      await page.evaluate(
        `fetch('${url.replace('/?', '/coupon?')}', { method: 'POST', body: new URLSearchParams({ code: '${code}' }) })`,
      )
      await page.goto(url)
      await page.getByText('€37.50').waitFor()
      const { body } = await store.get<{ id: string }[]>(`/payments?checkout_id=${id}`)
      await store.post(`/payments/${body[0]?.id}/mark-paid`, {})
      await page.reload()
      await success(page)
    })
  })
})

describe('a payment with Stripe', () => {
  it('redirects to Stripe, back when it is canceled, and to the order when it is paid', async () => {
    const { url, store, id } = await aCheckout()
    const { stripeSecretKey: stripe_secret_key, stripeWebhookSecret: stripe_webhook_secret } = stripeSecrets
    await store.patch('/payment-settings', { enabled_providers: ['stripe'], stripe_secret_key, stripe_webhook_secret })
    await asShopper(async (page) => {
      await page.goto(url)
      await expectAccessible(page)
      await payWith(page, 'Card and other methods')
      await page.getByRole('heading', { name: 'Stripe' }).waitFor()
      const stripeId = new URL(page.url()).pathname.split('/').at(-1)
      await page.goto(`${url}&notice=canceled`)
      await page.getByRole('status').getByText('You have not been charged.').waitFor()
      await expectAccessible(page)
      const address = `${inject('stripeUrl')}/v1/checkout/sessions/${stripeId}`
      const headers = { authorization: `Bearer ${stripe_secret_key}`, 'stripe-version': apiVersion }
      const response = await fetch(address, { headers })
      const session = { ...((await response.json()) as object), status: 'complete', payment_status: 'paid' }
      expect(session).toMatchObject({ amount_total: 3750, currency: 'eur', customer_email: 'ada@example.com' })
      const webhook = signed('checkout.session.completed', { ...session, payment_intent: `pi_${id}` })
      const sent = await fetch(`${pagesUrl}/checkout/webhooks/stripe/${store.id}`, {
        method: 'POST',
        headers: webhook.headers,
        body: new Uint8Array(webhook.body),
      })
      expect(sent.status).toBe(200)
      await page.goto(url)
      await success(page)
    })
  })
})

describe('a test payment', () => {
  it('can be charged back', async () => {
    const { url, store } = await aCheckout()
    await asShopper(async (page) => {
      await page.goto(url)
      await pay(page, 'Approve')
      await success(page)
      await page.goto(url.replace('/?', '/test-payment?'))
      await expectAccessible(page)
      await page.getByRole('button', { name: 'Charge back' }).click()
      const charged = async () => (await store.get<{ status: string }[]>('/orders')).body.map(({ status }) => status)
      await expect.poll(charged).toEqual(['charged_back'])
    })
  })

  it('is not decided once its store has gone live, and the page says why', async () => {
    const { url, store, id } = await aCheckout()
    await asShopper(async (page) => {
      await page.goto(url)
      await payWith(page, 'Test payment')
      await page.getByRole('button', { name: 'Approve' }).waitFor()
      await store.patch('/payment-settings', { enabled_providers: ['manual'], manual_instructions: 'IBAN' })
      await page.getByRole('button', { name: 'Approve' }).click()
      await page.getByRole('alert').getByText('This store does not accept test payments at the moment.').waitFor()
      await expectAccessible(page)
    })
    const { body } = await store.get<{ status: string }[]>(`/payments?checkout_id=${id}`)
    expect(body).toMatchObject([{ status: 'pending' }])
  })
})

describe('a checkout that cannot be paid', () => {
  it('rejects the payment of a banned customer and says so', async () => {
    const { url, shop, customer, store, id } = await aCheckout()
    await shop.ban('customer', customer.id)
    await asShopper(async (page) => {
      await page.goto(url)
      await payWith(page, 'Test payment')
      await page.getByRole('alert').getByText('This store does not accept this purchase.').waitFor()
      await expectAccessible(page)
    })
    expect((await store.get(`/payments?checkout_id=${id}`)).body).toEqual([])
  })

  it('links back to the store if it was canceled', async () => {
    const { url, id } = await aCheckout()
    await database.query(
      `update checkout.checkout_session set status = 'canceled', canceled_at = created_at where id = $1`,
      [id],
    )
    await asShopper(async (page) => {
      await page.goto(url)
      expect(await headingOf(page)).toBe('This checkout was canceled')
      const back = page.getByRole('link', { name: /^Return to/ })
      expect(await back.getAttribute('href')).toBe('https://shop.example/basket')
      await expectAccessible(page)
    })
  })
})

describe('the accent color of a store', () => {
  it('colors its buttons, with text that can be read in light and dark mode', async () => {
    const { url, store } = await aCheckout()
    await database.query(`update stores.store set accent_color = '#ffd60a' where id = $1`, [store.id])
    await asShopper(async (page) => {
      await page.goto(url)
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        const colors = await page.evaluate(`(() => {
          const { backgroundColor, color } = getComputedStyle(document.querySelector('#pay .button'))
          return [backgroundColor, color]
        })()`)
        expect(colors).toEqual(['rgb(255, 214, 10)', 'rgb(0, 0, 0)'])
        await expectAccessible(page)
      }
    })
  })
})
