import axe, { type AxeResults } from 'axe-core'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { expect } from 'vitest'

/** Opens a page as a shopper on a phone, and closes it after `visit`. */
export async function asShopper(
  browser: Browser,
  visit: (page: Page) => Promise<void>,
  options: BrowserContextOptions = {},
): Promise<void> {
  const context = await browser.newContext({ viewport: { width: 360, height: 740 }, locale: 'en-GB', ...options })
  // The tests wait for conditions; the machine may be busy.
  context.setDefaultTimeout(60_000)
  await context.addInitScript(`addEventListener('securitypolicyviolation', ({ violatedDirective }) => {
    (window.cspViolations ??= []).push(violatedDirective)
  })`)
  try {
    await visit(await context.newPage())
  } finally {
    await context.close()
  }
}

/**
 * What every page must satisfy: no rule of axe and no content security policy is violated, nothing is wider than the screen, and the
 * title names the page.
 */
export async function expectAccessible(page: Page): Promise<void> {
  await page.evaluate(axe.source)
  const { violations } = (await page.evaluate('axe.run(document, { resultTypes: ["violations"] })')) as AxeResults
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
  expect(found, await page.title()).toEqual([])
  expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth'), page.url()).toBeLessThanOrEqual(0)
  expect(await page.title()).not.toBe('')
  expect(await page.evaluate('window.cspViolations ?? []'), page.url()).toEqual([])
}

export async function headingOf(page: Page): Promise<string> {
  return (await page.getByRole('heading', { level: 1 }).textContent()) ?? ''
}
