import type { Page } from 'playwright-core'
import { describe, expect, inject, it } from 'vitest'
import { useSharedSystem } from '../kit/index.ts'
import { checkoutPages, enterEmail, pay, success } from './checkout-page.ts'
import { asShopper, expectAccessible } from './shopper.ts'

const { aCheckout } = checkoutPages(await useSharedSystem(), inject('system').pagesUrl ?? '')

async function apply(page: Page, code: string): Promise<void> {
  await page.getByLabel('Coupon code').fill(code)
  await page.getByRole('button', { name: 'Apply' }).click()
}

const total = (page: Page) => page.locator('.totals .total dd').textContent()

/** Resolves when the control has the focus and this description, as a screen reader reads it. */
async function isDescribed(page: Page, selector: string, text: string): Promise<void> {
  const described = page.locator(`${selector}:focus`)
  await described.waitFor()
  const id = await described.getAttribute('aria-describedby')
  expect(await page.locator(`#${id}`).textContent()).toBe(text)
}

describe('a coupon on the checkout page', () => {
  it.each([
    ['with script', true],
    ['without script', false],
  ])('is rejected with the reason, applied, removed and paid %s', async (_, javaScriptEnabled) => {
    const { url, store, shop, customer, product } = await aCheckout()
    const { code } = await shop.coupon()
    const used = await shop.coupon({ redeem_limit_store_enabled: true, redeem_limit_store_amount: 1 })
    const lines = [{ product_id: product.id, quantity: 1 }]
    await shop.session({ customer_id: customer.id, coupon_id: used.id, lines })
    const wrong = [
      ['nothing <b>', 'This code is not valid.'],
      [(await shop.coupon({ expires_at: '2026-01-01T00:00:00Z' })).code, 'This code has expired.'],
      [used.code, 'This code has reached its usage limit.'],
      [
        (await shop.coupon({ apply_to_products: [(await shop.product()).id] })).code,
        'This code does not apply to these products.',
      ],
      [(await shop.coupon({ minimum_order_value: 3751 })).code, 'Your order is below the minimum for this code.'],
    ] as const
    await asShopper(
      async (page) => {
        let loads = 0
        page.on('load', () => {
          loads += 1
        })
        await page.goto(url)
        await enterEmail(page)
        for (const [one, reason] of wrong) {
          await apply(page, one)
          await page.locator('#coupon-hint').getByText(reason).waitFor()
          expect(await page.getByLabel('Coupon code').inputValue()).toBe(one)
          expect(await page.getByLabel('Coupon code').getAttribute('aria-invalid')).toBe('true')
          if (javaScriptEnabled) await isDescribed(page, '#code', reason)
        }
        expect(await total(page)).toBe('€37.50')
        if (javaScriptEnabled) await expectAccessible(page)
        await apply(page, code.toLowerCase())
        const remove = page.getByRole('button', { name: 'Remove coupon' })
        await remove.waitFor()
        expect(await total(page)).toBe('€33.75')
        await page.getByText(`Coupon ${code}`, { exact: true }).waitFor()
        await page.getByRole('button', { name: 'Pay €33.75' }).waitFor()
        if (javaScriptEnabled) {
          await isDescribed(page, 'button', 'The coupon was applied.')
          await expectAccessible(page)
        }
        await remove.click()
        await page.getByText('The coupon was removed.').waitFor()
        expect(await total(page)).toBe('€37.50')
        if (javaScriptEnabled) await expectAccessible(page)
        await apply(page, code)
        await remove.waitFor()
        if (javaScriptEnabled) {
          // The page was never loaded again, so what the shopper entered is kept.
          expect(loads).toBe(1)
          expect(await page.getByLabel('Email address').inputValue()).toBe('ada@example.com')
        }
        await pay(page, 'Approve', '€33.75')
        await success(page)
      },
      { javaScriptEnabled },
    )
    const { body } = await store.get<{ total_amount: number; lines: { product_id: string }[] }[]>('/orders')
    expect(body).toMatchObject([{ total_amount: 3375, lines: [{ product_id: product.id }, {}] }])
  })

  it('needs no payment if it makes the order free', async () => {
    const { url, shop } = await aCheckout()
    const { code } = await shop.coupon({ discount_amount: 1000 })
    await asShopper(async (page) => {
      await page.goto(url)
      await apply(page, code)
      await enterEmail(page)
      await page.getByRole('button', { name: 'Complete order' }).click()
      await success(page)
    })
  })

  it('that is removed in another tab makes the page ask again before it charges another amount', async () => {
    const { url, shop } = await aCheckout()
    const { code } = await shop.coupon()
    await asShopper(async (page) => {
      await page.goto(url)
      await apply(page, code)
      await page.getByRole('button', { name: 'Pay €33.75' }).waitFor()
      const other = await page.context().newPage()
      await other.goto(url)
      await other.getByRole('button', { name: 'Remove coupon' }).click()
      await other.getByText('The coupon was removed.').waitFor()
      await enterEmail(page)
      await page.getByRole('button', { name: 'Pay €33.75' }).click()
      await page.getByRole('alert').getByText('The total has changed.').waitFor()
      await expectAccessible(page)
      await pay(page, 'Approve', '€37.50')
      await success(page)
    })
  })

  it('that changes the total while another tab pays the old one refunds that payment, and the order can still be paid', async () => {
    const { url, shop } = await aCheckout()
    const { code } = await shop.coupon()
    await asShopper(async (page) => {
      await page.goto(url)
      await enterEmail(page)
      await page.getByRole('button', { name: 'Pay €37.50' }).click()
      const other = await page.context().newPage()
      await other.goto(url)
      await apply(other, code)
      await page.getByRole('button', { name: 'Approve' }).click()
      await page.getByRole('status').getByText('it is being refunded').waitFor()
      await expectAccessible(page)
      await pay(page, 'Approve', '€33.75')
      await success(page)
    })
  })

  it('restarts a started payment with the new total', async () => {
    const { url, shop, store, id } = await aCheckout()
    const { code } = await shop.coupon()
    await asShopper(async (page) => {
      await page.goto(url)
      await enterEmail(page)
      await page.getByRole('button', { name: 'Pay €37.50' }).click()
      await page.getByText('this payment of €37.50').waitFor()
      await page.getByRole('link', { name: 'Back to the checkout' }).click()
      await apply(page, code)
      await enterEmail(page)
      await page.getByRole('button', { name: 'Pay €33.75' }).click()
      await page.getByText('this payment of €33.75').waitFor()
      await page.getByRole('button', { name: 'Approve' }).click()
      await success(page)
    })
    const { body } = await store.get<{ status: string; amount: number }[]>(`/payments?checkout_id=${id}`)
    expect(body.map(({ status, amount }) => [status, amount]).sort()).toEqual([
      ['canceled', 3750],
      ['succeeded', 3375],
    ])
  })
})
