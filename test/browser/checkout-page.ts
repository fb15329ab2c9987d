import type { Page } from 'playwright-core'
import { type Connection, openShop } from '../kit/index.ts'

/** Creates checkouts whose pages the tests visit. */
export function checkoutPages(system: Connection, pagesUrl: string) {
  return {
    /** A session of a new store for 37.50, its customer and products, and the address of its page. */
    async aCheckout(input: object = {}) {
      const store = await system.createStore()
      const shop = openShop(store)
      const [customer, friend] = [await shop.customer(), await shop.customer({ name: 'Robin Friend' })]
      const product = await shop.product({ name: 'Starter kit', price: 1250 })
      const lines = [
        { product_id: product.id, quantity: 2 },
        { product_id: product.id, quantity: 1, gift_to_customer_id: friend.id },
      ]
      const urls = { return_url: 'https://shop.example/thanks', cancel_url: 'https://shop.example/basket' }
      const { body } = await shop.order({ customer_id: customer.id, lines, ...urls, ...input })
      return { id: body.id, store, shop, customer, product, url: `${pagesUrl}/checkout/?t=${body.token}` }
    },
  }
}

export async function enterEmail(page: Page): Promise<void> {
  await page.getByLabel('Email address').fill('ada@example.com')
}

/** Pays with the provider `test`. */
export async function pay(page: Page, decision: 'Approve' | 'Decline' | 'Delay', amount = '€37.50'): Promise<void> {
  await enterEmail(page)
  await page.getByRole('button', { name: `Pay ${amount}` }).click()
  await page.getByRole('heading', { name: 'Test payment' }).waitFor()
  await page.getByRole('button', { name: decision, exact: true }).click()
}

export const success = (page: Page) => page.getByRole('heading', { name: 'Thank you for your order!' }).waitFor()
