import type { Page } from 'playwright-core'
import { describe, expect, inject, it } from 'vitest'
import { openShop, useSharedSystem } from '../kit/index.ts'
import { pay, success } from './checkout-page.ts'
import { asShopper, expectAccessible } from './shopper.ts'

const system = await useSharedSystem()
const { pagesUrl = '' } = inject('system')

/** The page of a session for 10.00 in a new store in Germany that adds taxes. */
async function taxedCheckout(): Promise<string> {
  const store = await system.createStore()
  const registrations = [
    { country: 'DE', rate: 1900, name: 'VAT' },
    { country: 'FR', rate: 1000, name: 'VAT' },
  ]
  const settings = {
    tax: { mode: 'exclusive', country: 'DE', registrations },
    seller: { name: 'Isles GmbH', tax_id: 'DE136695976' },
  }
  expect((await store.patch('', settings)).status).toBe(200)
  const shop = openShop(store)
  const customer = await shop.customer()
  const product = await shop.product({ name: 'VIP rank', price: 1000 })
  const { body } = await shop.order({ customer_id: customer.id, lines: [{ product_id: product.id, quantity: 1 }] })
  return `${pagesUrl}/checkout/?t=${body.token}`
}

const payButton = (page: Page, amount: string) => page.getByRole('button', { name: `Pay ${amount}` })

describe('the country and the VAT number on the checkout page', () => {
  it('change the total as soon as they change, and keep what the shopper has entered', async () => {
    const url = await taxedCheckout()
    await asShopper(async (page) => {
      let loads = 0
      page.on('load', () => {
        loads += 1
      })
      await page.goto(url)
      await page.getByLabel('Email address').fill('ada@example.com')
      await page.getByLabel('Country').selectOption('DE')
      await payButton(page, '€11.90').waitFor()
      await page.getByText('VAT (19%)').waitFor()
      await expectAccessible(page)
      await page.getByLabel('Country').selectOption('FR')
      await payButton(page, '€11.00').waitFor()
      await page.getByLabel('VAT number').fill('FR 40 303 265 046')
      await page.getByLabel('Email address').focus()
      await page.getByText('This is not a valid VAT number in the chosen country').waitFor()
      await expectAccessible(page)
      await page.getByLabel('VAT number').fill('FR 40 303 265 045')
      await page.getByLabel('Email address').focus()
      await page.getByText('Reverse charge: the customer accounts for the VAT.').waitFor()
      expect(await page.getByLabel('Email address').inputValue()).toBe('ada@example.com')
      expect(loads).toBe(1)
      await pay(page, 'Approve', '€10.00')
      await success(page)
    })
  })

  it('are applied when the shopper pays without script, who sees the new total first', async () => {
    const url = await taxedCheckout()
    await asShopper(
      async (page) => {
        await page.goto(url)
        await page.getByLabel('Email address').fill('ada@example.com')
        await page.getByLabel('Country').selectOption('DE')
        // The Enter key pays, although the button of the VAT number comes first.
        await page.getByLabel('Email address').press('Enter')
        await page.getByText('The total has changed. Check your order, then pay.').waitFor()
        await payButton(page, '€11.90').waitFor()
        await pay(page, 'Approve', '€11.90')
        await success(page)
      },
      { javaScriptEnabled: false },
    )
  })
})
