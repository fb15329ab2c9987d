import type { BrowserContextOptions, Page } from 'playwright-core'
import { describe, expect, inject, it } from 'vitest'
import { openShop, useSharedSystem } from '../kit/index.ts'
import { pay, success } from './checkout-page.ts'
import { asShopper, expectAccessible, expectFits, headingOf } from './shopper.ts'

const system = await useSharedSystem()
const { pagesUrl = '' } = inject('system')

/** A store whose page is open, with a category, a product that asks a question, and a product that is sold out. */
async function aStore() {
  const store = await system.createStore({ game: 'minecraft_offline' })
  expect((await store.patch('', { store_page_enabled: true })).status).toBe(200)
  const shop = openShop(store)
  const ranks = await shop.tag({ name: 'Ranks', slug: 'ranks' })
  const size = await shop.variable({
    identifier: 'size',
    name: 'Size',
    type: 'dropdown',
    options: [
      { name: 'Small', value: 'small', price: 0, price_type: 'fixed', is_default: true },
      { name: 'Large', value: 'large', price: 500, price_type: 'fixed', is_default: false },
    ],
  })
  const knight = await shop.product({
    name: 'Knight',
    slug: 'knight',
    description: 'A **blue** name in chat.',
    label: 'Best value',
    tags: [ranks.id],
    custom_variable_ids: [size.id],
  })
  await shop.product({ name: 'Crate key' })
  await shop.product({ name: 'Last egg', store_stock_limit: { enabled: true, quantity: 0 } })
  return { store, shop, knight, url: `${pagesUrl}/store/${store.slug}` }
}

const scriptless: BrowserContextOptions = { javaScriptEnabled: false }

/** Checks a page with axe, which needs script. */
async function check(page: Page, { javaScriptEnabled = true }: BrowserContextOptions): Promise<void> {
  if (javaScriptEnabled) await expectAccessible(page)
  else await page.getByRole('main').waitFor()
}

async function signIn(page: Page, name: string): Promise<void> {
  await page.getByLabel('Minecraft name').fill(name)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

describe('the store page', () => {
  it.each<[string, BrowserContextOptions]>([
    ['on a phone', {}],
    ['on a phone without script', scriptless],
    ['on a wide dark screen', { viewport: { width: 1280, height: 800 }, colorScheme: 'dark' }],
  ])('sells a product to a shopper who signs in, %s', async (_, options) => {
    const { url, store } = await aStore()
    await asShopper(async (page) => {
      await page.goto(url)
      await check(page, options)
      await page.getByRole('link', { name: 'Ranks' }).click()
      expect(await headingOf(page)).toBe('Ranks')
      expect(await page.locator('.product-name').allInnerTexts()).toEqual(['Knight'])
      await page.getByRole('link', { name: /^Knight/ }).click()
      await page.locator('strong', { hasText: 'blue' }).waitFor()
      await check(page, options)

      await page.getByLabel('Size').selectOption({ label: 'Large (+€5.00)' })
      await page.getByRole('button', { name: 'Add to cart' }).click()
      await page.getByRole('heading', { name: 'Sign in' }).waitFor()
      await check(page, options)
      await signIn(page, 'Ada_42')
      await page.getByRole('heading', { name: 'Knight' }).waitFor()
      expect(await page.getByLabel('Size').inputValue()).toBe('large')
      await page.getByRole('button', { name: 'Add to cart' }).click()
      await page.getByRole('status').getByText('Added to your cart.').waitFor()
      await check(page, options)

      await page.getByRole('link', { name: 'View cart' }).click()
      await page.getByText('Size: Large').waitFor()
      await check(page, options)
      await page.getByLabel('Quantity (Knight)').fill('2')
      await page.getByRole('button', { name: 'Update (Knight)' }).click()
      await page.getByText('€15.00 each').waitFor()
      await page.locator('.totals').getByText('€30.00').waitFor()
      await page.getByRole('button', { name: 'Check out' }).click()

      await page.getByRole('heading', { name: 'Checkout' }).waitFor()
      await page.getByText('Ada_42').waitFor()
      await pay(page, 'Approve', '€30.00')
      await success(page)
      expect(await page.getByRole('link', { name: /^Return to/ }).getAttribute('href')).toBe(url)
      await page.goto(`${url}/cart`)
      await page.getByText('Your cart is empty.').waitFor()
      await check(page, options)
    }, options)
    const { body: orders } = await store.get<{ total_amount: number }[]>('/orders')
    expect(orders.map(({ total_amount }) => total_amount)).toEqual([3000])
  })

  it('says what is wrong with a cart, and lets the shopper remove it', async () => {
    const { url, store, knight } = await aStore()
    await asShopper(async (page) => {
      await page.goto(`${url}/products/knight`)
      await page.getByRole('button', { name: 'Add to cart' }).click()
      await signIn(page, 'Grace')
      await page.getByRole('button', { name: 'Add to cart' }).click()
      await page.getByRole('status').waitFor()
      expect((await store.patch(`/products/${knight.id}`, { enabled: false })).status).toBe(200)
      await page.goto(`${url}/cart`)
      await page.getByText('This product is no longer for sale.').first().waitFor()
      expect(await page.getByRole('button', { name: 'Check out' }).count()).toBe(0)
      await expectAccessible(page)
      await page.getByRole('button', { name: /^Remove/ }).click()
      await page.getByText('Your cart is empty.').waitFor()
    })
  })

  it('signs a shopper out, and forgets nothing of the cart', async () => {
    const { url } = await aStore()
    await asShopper(async (page) => {
      await page.goto(`${url}/products/knight`)
      await page.getByRole('button', { name: 'Add to cart' }).click()
      await signIn(page, 'Edsger')
      await page.getByRole('button', { name: 'Add to cart' }).click()
      await page.getByRole('status').waitFor()
      await page.getByRole('button', { name: 'Sign out' }).click()
      await page.getByRole('link', { name: 'Cart' }).click()
      await page.getByText('Sign in to see your cart.').waitFor()
      await page.getByRole('main').getByRole('link', { name: 'Sign in' }).click()
      await signIn(page, 'edsger')
      await page.getByLabel('Quantity (Knight)').waitFor()
    })
  })

  it('finds products by name, marks what is sold out, and can be read in other languages', async () => {
    const { url } = await aStore()
    await asShopper(async (page) => {
      await page.goto(url)
      await page.getByLabel('Search products').fill('egg')
      await page.getByRole('button', { name: 'Search' }).click()
      expect(await headingOf(page)).toBe('Results for “egg”')
      await page.getByText('Sold out').waitFor()
      await page.getByRole('link', { name: /^Last egg/ }).click()
      await page.getByRole('heading', { name: 'Last egg' }).waitFor()
      expect(await page.getByRole('button', { name: 'Add to cart' }).count()).toBe(0)
      await page.getByLabel('Language').selectOption({ label: '日本語' })
      await page.getByRole('button', { name: 'Change' }).click()
      await page.getByText('売り切れ').waitFor()
      await expectFits(page)
    })
  })
})
