import type { Page } from 'playwright-core'
import { describe, expect, inject, it } from 'vitest'
import { openShop, type TestStore, useSharedSystem } from '../kit/index.ts'
import { asShopper, expectAccessible, headingOf } from './shopper.ts'

const system = await useSharedSystem()
const { pagesUrl = '' } = inject('system')

async function aCustomer() {
  const store = await system.createStore()
  const shop = openShop(store)
  return { store, shop, customer: await shop.customer({ name: 'Ada Customer' }) }
}

/** A subscription for 10.00 a month with the test provider. */
async function aSubscription() {
  const { store, shop, customer } = await aCustomer()
  const terms = { allow_subscription: true, subscription_interval_value: 1, subscription_interval_scale: 'month' }
  const lines = [{ quantity: 1, subscription: true, inline_product: { name: 'VIP', price: 1000, ...terms } }]
  const { body } = await shop.order({ customer_id: customer.id, lines })
  await asShopper(async (page) => {
    await page.goto(`${pagesUrl}/checkout/?t=${body.token}`)
    await page.getByText('Renews every month for €10.00 until you cancel.').waitFor()
    await expectAccessible(page)
    await page.getByLabel('Email address').fill('ada@example.com')
    await page.getByRole('button', { name: 'Pay €10.00' }).click()
    await page.getByRole('button', { name: 'Approve' }).click()
    await page.getByText('Order 1', { exact: true }).waitFor()
  })
  const list = await store.get<SubscriptionBody[]>('/subscriptions')
  return { store, shop, customer, subscriptionId: list.body[0]?.id ?? '' }
}

interface SubscriptionBody {
  id: string
}

async function aLink(store: TestStore, customerId: string, input: object = {}): Promise<string> {
  const path = `/customers/${customerId}/portal-sessions`
  const { body } = await store.post<{ token: string }>(path, { return_url: 'https://shop.example/me', ...input })
  return `${pagesUrl}/portal/?t=${body.token}`
}

const open = (page: Page) => page.getByRole('heading', { name: 'Your account' }).waitFor()
const closed = 'This link is no longer valid'

describe('the portal', () => {
  it('opens with a link that works once, and keeps its token out of the address', async () => {
    const { store, customer } = await aCustomer()
    const link = await aLink(store, customer.id)
    await asShopper(async (page) => {
      await page.goto(link)
      await open(page)
      expect(page.url()).toBe(`${pagesUrl}/portal/`)
      await page.getByText('Ada Customer').waitFor()
      await page.getByText('You have no orders in this store yet.').waitFor()
      await expectAccessible(page)
      const [cookie] = await page.context().cookies()
      expect(cookie).toMatchObject({ name: '__Host-portal', httpOnly: true, secure: true, sameSite: 'Lax', path: '/' })
      // The same browser may open the link again.
      await page.goto(link)
      await open(page)
    })
    await asShopper(async (page) => {
      expect((await page.goto(link))?.status()).toBe(404)
      expect(await headingOf(page)).toBe(closed)
      await expectAccessible(page)
    })
  })

  it('lists the orders of its customer alone, with a receipt for each', async () => {
    const { store, shop, customer } = await aCustomer()
    const inline_product = {
      name: 'Starter kit',
      price: 1250,
      allow_one_time_purchase: true,
      allow_subscription: false,
    }
    const { body } = await shop.order({ customer_id: customer.id, lines: [{ inline_product, quantity: 2 }] })
    await asShopper(async (page) => {
      await page.goto(`${pagesUrl}/checkout/?t=${body.token}`)
      await page.getByLabel('Email address').fill('ada@example.com')
      await page.getByRole('button', { name: 'Pay €25.00' }).click()
      await page.getByRole('button', { name: 'Approve' }).click()
      await page.getByText('Order 1', { exact: true }).waitFor()
      await page.goto(await aLink(store, customer.id))
      await expectAccessible(page)
      for (const width of [360, 1280]) {
        await page.setViewportSize({ width, height: 740 })
        const table = await page.getByRole('table', { name: 'Orders' }).ariaSnapshot()
        for (const heading of ['Order', 'Date', 'Status', 'Total']) expect(table).toContain(`columnheader "${heading}"`)
        expect(table).toContain('rowheader "Order 1"')
        expect(table).toContain('cell "€25.00"')
      }
      await page.getByRole('link', { name: 'Order 1' }).click()
      await page.getByRole('heading', { name: 'Receipt for order 1' }).waitFor()
      await page.getByText('ada@example.com').waitFor()
      await expectAccessible(page)
      // Printed, it is only the receipt, black on white, on one sheet.
      await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
      expect(await page.getByRole('link', { name: 'Back to your account' }).isVisible()).toBe(false)
      expect(await page.getByText('To print or save this receipt').isVisible()).toBe(false)
      const colors = await page.evaluate(`(() => {
        const { color, backgroundColor } = getComputedStyle(document.body)
        return [color, backgroundColor, getComputedStyle(document.querySelector('.receipt')).backgroundColor]
      })()`)
      expect(colors).toEqual(['rgb(0, 0, 0)', 'rgb(255, 255, 255)', 'rgb(255, 255, 255)'])
      const sheets = (await page.pdf({ format: 'A4' })).toString('latin1').match(/\/Type\s*\/Page\b/g)
      expect(sheets).toHaveLength(1)
      const receipt = page.url()
      const other = await shop.customer()
      await page.goto(await aLink(store, other.id))
      expect((await page.goto(receipt))?.status()).toBe(404)
    })
  })

  it('ends one session, or every session and token of the customer', async () => {
    const { store, customer } = await aCustomer()
    const token = async () => (await store.post<{ token: string }>(`/customers/${customer.id}/tokens`)).body.token
    const before = await token()
    const status = async (own: string) => (await store.shop('GET', '/store/customer', { token: own })).status
    await asShopper(async (phone) => {
      await phone.goto(await aLink(store, customer.id))
      await asShopper(async (page) => {
        await page.goto(await aLink(store, customer.id))
        await page.getByRole('button', { name: 'Sign out', exact: true }).click()
        await page.getByRole('heading', { name: 'You are signed out' }).waitFor()
        expect(await page.context().cookies()).toEqual([])
        expect((await page.goto(`${pagesUrl}/portal/`))?.status()).toBe(404)
        expect(await status(before)).toBe(200)
        await page.goto(await aLink(store, customer.id))
        await page.getByRole('button', { name: 'Sign out everywhere' }).click()
        await page.getByRole('heading', { name: 'You are signed out' }).waitFor()
      })
      expect(await status(before)).toBe(401)
      expect(await status(await token())).toBe(200)
      await phone.reload()
      expect(await headingOf(phone)).toBe(closed)
    })
  })

  it('renews a subscription of the test provider, and cancels it from the link of a flow, with the keyboard alone', async () => {
    const { store, customer, subscriptionId } = await aSubscription()
    const flow = { subscription_cancel: { subscription_id: subscriptionId } }
    const read = async () => (await store.get<SubscriptionBody>(`/subscriptions/${subscriptionId}`)).body
    await asShopper(async (page) => {
      await page.goto(await aLink(store, customer.id))
      await page.getByRole('link', { name: 'VIP' }).click()
      await expectAccessible(page)
      await page.getByRole('button', { name: 'Decline' }).click()
      await page.getByText('The last payment failed.').waitFor()
      await expectAccessible(page)
      await page.getByRole('button', { name: 'Approve' }).click()
      await page.getByRole('link', { name: 'Order 2' }).waitFor()
      expect(await read()).toMatchObject({ status: 'active', paid_periods: 2 })
      await page.goto(await aLink(store, customer.id, { flow }))
      expect(await headingOf(page)).toBe('Cancel this subscription?')
      await expectAccessible(page)
      expect(await page.getByText('Renews on').count()).toBe(0)
      expect(await page.locator('main .button').allInnerTexts()).toEqual(['Cancel subscription'])
      await page.getByRole('button', { name: 'Cancel subscription' }).focus()
      await page.keyboard.press('Enter')
      await page.getByText('The subscription is canceled. You will not be charged again.').waitFor()
      await page.getByText('Ends on').waitFor()
      expect(await page.getByText('Renews on').count()).toBe(0)
      await expectAccessible(page)
      expect(await read()).toMatchObject({
        status: 'active',
        cancel_at_period_end: true,
        cancellation_reason: 'requested',
      })
      await page.getByRole('button', { name: 'Approve' }).click()
      await page.getByText('Ended on').waitFor()
      expect(await read()).toMatchObject({ status: 'canceled', paid_periods: 2 })
    })
  })

  it('shows what was bought: recipients, the coupon, and the names of variables and options at that time', async () => {
    const { store, shop, customer } = await aCustomer()
    const friend = await shop.customer({ name: 'Robin Friend' })
    const options = [{ name: 'Europe', value: 'eu-main', price: 0, price_type: 'fixed', is_default: true }]
    const server = await shop.variable({ name: 'Server', type: 'dropdown', options })
    const nick = await shop.variable({ name: 'Nickname' })
    const { code } = await shop.coupon()
    const { id: product_id } = await shop.product({ custom_variable_ids: [server.id, nick.id] })
    const line = { product_id, quantity: 1, custom_variables: { [nick.identifier]: 'Ada' } }
    const lines = [line, { ...line, gift_to_customer_id: friend.id }]
    const { body } = await shop.order({ customer_id: customer.id, lines, promo_codes: [code] })
    const notes = ['Quantity: 1', 'Server: Europe', 'Nickname: Ada']
    const expectLines = async (page: Page) => {
      const lines = page.locator('li:has(.line)')
      const shown = lines.nth(1).locator('.line-note')
      await shown.getByText('Gift for Robin Friend').waitFor()
      expect(await shown.allInnerTexts()).toEqual([...notes, 'Gift for Robin Friend'])
      expect(await lines.nth(0).locator('.line-note').allInnerTexts()).toEqual(notes)
      await page.getByText(`Coupon ${code}`, { exact: true }).waitFor()
    }
    await asShopper(async (page) => {
      await page.goto(`${pagesUrl}/checkout/?t=${body.token}`)
      await expectLines(page)
      await store.patch(`/custom-variables/${server.id}`, { name: 'Realm' })
      await store.delete(`/custom-variables/${nick.id}`)
      await page.getByLabel('Email address').fill('ada@example.com')
      await page.getByRole('button', { name: 'Pay €18.00' }).click()
      await page.getByRole('button', { name: 'Approve' }).click()
      await page.getByText('Order 1', { exact: true }).waitFor()
      await expectLines(page)
      await page.goto(await aLink(store, customer.id))
      await page.getByRole('link', { name: 'Order 1' }).click()
      await page.getByRole('heading', { name: 'Receipt for order 1' }).waitFor()
      await expectLines(page)
      await expectAccessible(page)
    })
  })

  it('says that a test subscription cannot be renewed once the store has gone live', async () => {
    const { store, customer, subscriptionId } = await aSubscription()
    await store.patch('/payment-settings', { enabled_providers: ['manual'], manual_instructions: 'IBAN' })
    await asShopper(async (page) => {
      await page.goto(await aLink(store, customer.id))
      await page.getByRole('link', { name: 'VIP' }).click()
      await page.getByRole('button', { name: 'Approve' }).click()
      await page.getByRole('alert').getByText('This store does not accept test payments at the moment.').waitFor()
      await expectAccessible(page)
    })
    const { body } = await store.get<SubscriptionBody>(`/subscriptions/${subscriptionId}`)
    expect(body).toMatchObject({ paid_periods: 1 })
  })

  it('updates a payment method from the link of a flow, and shows no subscription of another customer', async () => {
    const { store, shop, customer, subscriptionId } = await aSubscription()
    const flow = { subscription_payment_method_update: { subscription_id: subscriptionId } }
    const other = await shop.customer()
    await asShopper(async (page) => {
      await page.goto(await aLink(store, customer.id, { flow }))
      expect(await headingOf(page)).toBe('Update payment method')
      await expectAccessible(page)
      await page.getByRole('button', { name: 'Update payment method' }).click()
      await page.getByText('Your payment method was updated. Future payments will use it.').waitFor()
      await page.goto(await aLink(store, other.id))
      await open(page)
      for (const path of ['', '/cancel', '/payment-method']) {
        expect((await page.goto(`${pagesUrl}/portal/subscriptions/${subscriptionId}${path}`))?.status()).toBe(404)
      }
    })
  })

  it('does not use up a link that is only previewed or loaded ahead', async () => {
    const { store, customer } = await aCustomer()
    const link = await aLink(store, customer.id)
    expect((await fetch(link, { method: 'HEAD' })).status).toBe(503)
    expect((await fetch(link, { headers: { 'sec-purpose': 'prefetch' } })).status).toBe(503)
    await asShopper(async (page) => {
      await page.goto(link)
      await open(page)
    })
  })
})
