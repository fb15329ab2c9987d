import { describe, expect, inject, it } from 'vitest'
import { useSharedSystem } from '../kit/index.ts'
import { checkoutPages } from './checkout-page.ts'
import { asShopper } from './shopper.ts'
import { useDatabase } from './use-database.ts'

const system = await useSharedSystem()
const { pagesUrl = '' } = inject('system')
const { aCheckout } = checkoutPages(system, pagesUrl)
const { count } = useDatabase()

describe('the security of the pages', () => {
  it('blocks foreign scripts, and receives reports of them from the browser', async () => {
    const { url } = await aCheckout()
    const before = await cspReports()
    await asShopper(async (page) => {
      await page.goto(url)
      await page.evaluate(`const script = document.createElement('script')
        script.textContent = 'document.title = "hacked"'
        document.body.append(script)`)
      await expect.poll(cspReports).toBe(before + 1)
      expect(await page.title()).not.toBe('hacked')
    })
  })

  it('accepts no form that another site submits', async () => {
    const { url, id } = await aCheckout()
    await asShopper(async (page) => {
      await page.route('https://evil.example/', (route) =>
        route.fulfill({
          contentType: 'text/html',
          body: `<form method="post" action="${url.replace('/?', '/pay?')}"><input name="email" value="a@example.com"><input name="method" value="test"><button>Win</button></form>`,
        }),
      )
      await page.goto('https://evil.example/')
      await page.getByRole('button').click()
      await page.getByRole('heading', { name: 'The form was not accepted' }).waitFor()
    })
    expect(await count('payment', id)).toBe(0)
  })

  it('sends headers that keep pages out of caches and frames', async () => {
    const { url } = await aCheckout()
    const { headers } = await fetch(url)
    expect(Object.fromEntries(headers)).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringMatching(
        /script-src 'self';.*form-action 'self';.*frame-ancestors 'none'/,
      ),
    })
  })
})

describe('webhooks', () => {
  const send = async (storeId: string, body: string, headers: Record<string, string>) =>
    (await fetch(`${pagesUrl}/checkout/webhooks/stripe/${storeId}`, { method: 'POST', body, headers })).status

  it('are rejected without a signature, and for a store without Stripe before their body is read', async () => {
    const { store } = await aCheckout()
    const signed = { 'stripe-signature': 't=1,v1=00' }
    expect(await send(store.id, '{}', {})).toBe(400)
    expect(await send('x', '{}', signed)).toBe(404)
    expect(await send(store.id, 'x'.repeat(512 * 1024 + 1), signed)).toBe(404)
    expect(await send(store.id, '{}', signed)).toBe(404)
  })
})

/** No other test may cause a report. */
async function cspReports(): Promise<number> {
  const texts = await Promise.all(inject('system').metricsUrls.map(async (url) => (await fetch(url)).text()))
  const [, value] = /^csp_reports_total\{[^}]*\} (\d+)$/m.exec(texts.join('\n')) ?? []
  if (value === undefined) throw new Error('No process exports csp_reports_total.')
  return Number(value)
}
