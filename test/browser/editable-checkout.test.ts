import type { Page } from 'playwright-core'
import { describe, expect, inject, it } from 'vitest'
import { useSharedSystem } from '../kit/index.ts'
import { checkoutPages, pay, success } from './checkout-page.ts'
import { asShopper, expectAccessible } from './shopper.ts'

const { aCheckout } = checkoutPages(await useSharedSystem(), inject('system').pagesUrl ?? '')

const total = (page: Page) => page.locator('.totals .total dd').textContent()
const line = (page: Page, index: number) => page.locator('.lines > li').nth(index)

async function setQuantity(page: Page, index: number, quantity: string): Promise<void> {
  await line(page, index).getByLabel('Quantity').fill(quantity)
  await line(page, index).getByRole('button', { name: 'Update' }).click()
}

describe('an editable checkout', () => {
  it.each([
    ['with script', true],
    ['without script', false],
  ])('changes quantities, removes lines, and is paid for the new total %s', async (_, javaScriptEnabled) => {
    const { url, store, customer, product } = await aCheckout({ editable: true })
    await asShopper(
      async (page) => {
        await page.goto(url)
        await page.getByText('Buying as').waitFor()
        await setQuantity(page, 0, '3')
        await page.getByText('Your order was updated.').waitFor()
        expect(await line(page, 0).textContent()).toContain('Quantity: 3 × €12.50')
        expect(await total(page)).toBe('€50.00')
        if (javaScriptEnabled) await expectAccessible(page)
        await line(page, 1).getByRole('button', { name: 'Remove' }).click()
        await page.getByText('Your order was updated.').waitFor()
        expect(await page.locator('.lines > li').count()).toBe(1)
        expect(await page.getByRole('button', { name: 'Remove', exact: false }).count()).toBe(0)
        await pay(page, 'Approve', '€37.50')
        await success(page)
        await page.getByRole('link', { name: 'View receipt' }).click()
        await page.getByRole('heading', { name: 'Receipt for order 1' }).waitFor()
        if (javaScriptEnabled) await expectAccessible(page)
        await page.getByRole('link', { name: 'Back to your order' }).click()
        await success(page)
      },
      { javaScriptEnabled },
    )
    const { body } = await store.get('/orders')
    expect(body).toEqual([
      expect.objectContaining({
        customer_id: customer.id,
        total_amount: 3750,
        lines: [expect.objectContaining({ product_id: product.id, quantity: 3 })],
      }),
    ])
  })

  it('says that a quantity is not available, and keeps the order', async () => {
    const { url, shop } = await aCheckout()
    const customer = await shop.customer()
    const { id } = await shop.product({ price: 500, store_stock_limit: { enabled: true, quantity: 2 } })
    const { body } = await shop.order({
      customer_id: customer.id,
      lines: [{ product_id: id, quantity: 1 }],
      editable: true,
    })
    await asShopper(async (page) => {
      await page.goto(`${url.split('?')[0]}?t=${body.token}`)
      await setQuantity(page, 0, '3')
      await page.getByText('This quantity is not available.').waitFor()
      expect(await page.getByLabel('Quantity').getAttribute('aria-invalid')).toBe('true')
      expect(await total(page)).toBe('€5.00')
      await expectAccessible(page)
    })
  })

  it('offers no change without `editable`', async () => {
    const { url } = await aCheckout()
    await asShopper(async (page) => {
      await page.goto(url)
      await page.getByText('Buying as').waitFor()
      expect(await page.getByLabel('Quantity').count()).toBe(0)
    })
  })
})
