import axe, { type AxeResults } from 'axe-core'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { expect } from 'vitest'
import { sharedBrowser } from './open-browser.ts'

/** Opens a page as a shopper on a phone, and closes it after `visit`. */
export async function asShopper(
  visit: (page: Page) => Promise<void>,
  options: BrowserContextOptions = {},
): Promise<void> {
  const page = await openPage(options)
  try {
    await visit(page)
  } finally {
    await page.context().close()
  }
}

/** Opens a page in a separate context, which the caller closes. */
export async function openPage(options: BrowserContextOptions = {}): Promise<Page> {
  const browser = await sharedBrowser()
  const context = await browser.newContext({ viewport: { width: 360, height: 740 }, locale: 'en-GB', ...options })
  // The tests wait for conditions; the machine may be busy.
  context.setDefaultTimeout(180_000)
  await context.addInitScript(`addEventListener('securitypolicyviolation', ({ violatedDirective }) => {
    (window.cspViolations ??= []).push(violatedDirective)
  })`)
  return await context.newPage()
}

/** What every page must satisfy: no rule of axe is violated, and `expectFits`. */
export async function expectAccessible(page: Page): Promise<void> {
  await page.evaluate(axe.source)
  const { violations } = (await page.evaluate('axe.run(document, { resultTypes: ["violations"] })')) as AxeResults
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
  expect(found, await page.title()).toEqual([])
  await expectFits(page)
}

/** Nothing is wider than the screen, no content security policy is violated, and the title names the page. */
export async function expectFits(page: Page): Promise<void> {
  expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth'), page.url()).toBeLessThanOrEqual(0)
  expect(await page.title()).not.toBe('')
  expect(await page.evaluate('window.cspViolations ?? []'), page.url()).toEqual([])
}

export async function headingOf(page: Page): Promise<string> {
  return (await page.getByRole('heading', { level: 1 }).textContent()) ?? ''
}
