import axe, { type AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { openShop, useSharedSystem } from '../kit/index.ts'
import { expectFits, openPage } from './shopper.ts'

const { createStore } = await useSharedSystem()
const [gateway = ''] = inject('system').gatewayUrls

/** Both tests use one page, because it renders the whole document, which takes a busy machine many seconds. */
let page: Page
const hosts = new Set<string>()
beforeAll(async () => {
  page = await openPage()
  page.setDefaultTimeout(150_000)
  page.on('request', (request) => hosts.add(new URL(request.url()).origin))
  await page.goto(gateway)
  expect(page.url()).toBe(`${gateway}/docs`)
  await page.getByRole('heading', { name: 'Getting started' }).waitFor()
})
afterAll(() => page.context().close())

/** Checks the page on a screen, and that it asks for nothing but the gateway during `visit`. */
async function asReader(width: number, colorScheme: 'light' | 'dark', visit: () => Promise<void>) {
  await page.emulateMedia({ colorScheme })
  await page.setViewportSize({ width, height: 800 })
  expect(await violationsOf()).toEqual([])
  expect(await brokenWordsOf()).toEqual([])
  await visit()
  await expectFits(page)
  expect([...hosts].filter((host) => host !== 'null')).toEqual([gateway])
}

/** Checks our header, and the navigation in our colors: the whole page would take half a minute. */
async function violationsOf(): Promise<string[]> {
  await page.evaluate(axe.source)
  const parts = await page.evaluate<AxeResults>(
    `axe.run([...document.querySelectorAll('body > nav, aside')], { resultTypes: ['violations'] })`,
  )
  return parts.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
}

/** Enter opens the first result. */
async function search(text: string, result: string): Promise<void> {
  await page.getByRole('button', { name: /^Open Search/ }).click()
  const query = page.getByRole('combobox', { name: 'Enter search query' })
  await query.fill(text)
  await page.getByRole('option', { name: result }).waitFor()
  await query.press('Enter')
}

/** The paths in lists of operations that do not fit. */
const cutPaths = `[...document.querySelectorAll('.endpoints .endpoint-path')]
  .filter((path) => path.scrollWidth > path.clientWidth)
  .map((path) => path.textContent)`

/** Words in the tables of the guides that continue on the next line. */
function brokenWordsOf(): Promise<string[]> {
  return page.evaluate<string[]>(`(() => {
    const broken = []
    for (const cell of document.querySelectorAll('#reference .markdown :is(td, th)')) {
      const texts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT)
      while (texts.nextNode()) {
        for (const { 0: word, index } of texts.currentNode.data.matchAll(/\\p{L}+/gu)) {
          const range = document.createRange()
          range.setStart(texts.currentNode, index)
          range.setEnd(texts.currentNode, index + word.length)
          if (range.getClientRects().length > 1) broken.push(word)
        }
      }
    }
    return broken
  })()`)
}

/** How far the page is scrolled, once it no longer moves. */
async function scrolledTo(): Promise<number> {
  let before = Number.NaN
  await expect
    .poll(async () => {
      const [last, now] = [before, await page.evaluate<number>('scrollY')]
      before = now
      return now - last
    })
    .toBe(0)
  return before
}

function isOnScreen(selector: string): Promise<boolean> {
  return page.evaluate<boolean>(`(() => {
    const { top, bottom } = document.querySelector('${selector}').getBoundingClientRect()
    return top >= 0 && bottom <= innerHeight
  })()`)
}

async function useOurStyles(isUsed: boolean): Promise<void> {
  await page.evaluate(`document.querySelector('link[href="/docs/page.css"]').disabled = ${!isUsed}`)
}

describe('the API reference', () => {
  it('finds operations, and has samples for curl, TypeScript, Python, PHP and Java', async () => {
    await asReader(1280, 'light', async () => {
      await page.getByRole('complementary').getByRole('link', { name: 'Page through lists' }).waitFor()
      await search('Event ban.created', 'Webhook: Event ban.created')
      const event = page.getByRole('region', { name: 'Event ban.created' })
      const request = event.getByText('Test Request', { exact: true })
      await request.waitFor({ state: 'attached' })
      expect(await request.isVisible()).toBe(false)
      await search('create a refund', 'Operation: Create a refund of an order')
      await page
        .getByRole('button', { name: 'Test Request (post /v1/stores/{storeId}/orders/{orderId}/refunds)' })
        .waitFor()
      await page.getByRole('button', { name: 'Shell Curl' }).first().click()
      const clients = page.getByRole('listbox').getByRole('option')
      expect(await clients.allInnerTexts()).toEqual(['TypeScript', 'java.net.http', 'cURL', 'Requests', 'Curl'])
      await clients.getByText('TypeScript').click()
      await page.getByText('await storekeep.orders.createRefund(').first().waitFor()
    })
  })

  it('sends a request on a phone, with the store and the bare key that were entered once', async () => {
    const store = await createStore()
    const customer = await openShop(store).customer({ name: 'Robin' })
    await asReader(390, 'dark', async () => {
      // Negative control: the styles of the library break words.
      await useOurStyles(false)
      expect((await brokenWordsOf()).length).toBeGreaterThan(0)
      await useOurStyles(true)
      await page.getByRole('button', { name: 'Store and keys' }).click()
      await page.getByLabel('Store id').fill(store.id)
      await page.getByLabel('API key').fill(store.apiKey)
      await page.goto(`${gateway}/docs#tag/customers/GET/v1/stores/{storeId}/customers`)
      const place = await scrolledTo()
      expect(place).toBeGreaterThan(0)
      await page.getByRole('button', { name: 'Apply' }).click()
      await page.getByText(`/v1/stores/${store.id}/customers`).first().waitFor()
      expect(await scrolledTo()).toBe(place)
      await page.locator('.endpoint-path', { hasText: '/portal-sessions' }).first().waitFor()
      expect(await page.evaluate(cutPaths)).toEqual([])
      await page.getByRole('button', { name: 'Test Request (get /v1/stores/{storeId}/customers)' }).click()
      await page.getByRole('button', { name: /^Send/ }).first().click()
      await page.getByRole('dialog').getByText(customer.id).first().waitFor()
      expect(await isOnScreen('[role=dialog] section[aria-label=Response] .request-response-header')).toBe(true)
    })
  })
})
