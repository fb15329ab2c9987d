import type { Page } from 'playwright-core'
import { describe, expect, inject, it } from 'vitest'
import { useSharedSystem } from '../kit/index.ts'
import { checkoutPages, pay, success } from './checkout-page.ts'
import { asShopper, expectAccessible, expectFits, headingOf } from './shopper.ts'
import { useDatabase } from './use-database.ts'

const system = await useSharedSystem()
const { pagesUrl = '' } = inject('system')
const { aCheckout } = checkoutPages(system, pagesUrl)
const { database, count } = useDatabase()

/** Longer than the first interval after which a page checks whether a payment has arrived. */
const pollMs = 20_000

/** The text of the control that has the focus. */
const focusedText = `(() => {
  const { labels, textContent } = document.activeElement
  return labels?.length ? labels[0].innerText : textContent
})()`

describe('the checkout page', () => {
  it.each([
    ['with script', true],
    ['without script', false],
  ])('takes a declined payment, a second attempt and an approval %s', async (_, javaScriptEnabled) => {
    const { url, id } = await aCheckout()
    await asShopper(
      async (page) => {
        await page.goto(url)
        expect(await page.locator('li:has(.line)').allInnerTexts()).toEqual([
          expect.stringContaining('Quantity: 2'),
          expect.stringContaining('Gift for Robin Friend'),
        ])
        if (javaScriptEnabled) await expectAccessible(page)
        await pay(page, 'Decline')
        await page.getByRole('alert').getByText('Your payment was declined.').waitFor()
        if (javaScriptEnabled) await expectAccessible(page)
        await pay(page, 'Approve')
        await success(page)
        await page.getByText('Order 1', { exact: true }).waitFor()
        expect(await page.locator('li:has(.line)').allInnerTexts()).toEqual([
          expect.not.stringContaining('Gift'),
          expect.stringContaining('Gift for Robin Friend'),
        ])
        const back = page.getByRole('link', { name: /^Return to/ })
        expect(await back.getAttribute('href')).toBe('https://shop.example/thanks')
        if (javaScriptEnabled) await expectAccessible(page)
      },
      { javaScriptEnabled },
    )
    expect(await count('store_order', id)).toBe(1)
  })

  it('creates one payment and one order for a form that is submitted twice, and from two tabs', async () => {
    const { url, id } = await aCheckout()
    await asShopper(async (page) => {
      const other = await page.context().newPage()
      for (const tab of [page, other]) {
        await tab.goto(url)
        await tab.getByLabel('Email address').fill('ada@example.com')
      }
      const button = (tab: Page) => tab.getByRole('button', { name: 'Pay €37.50' })
      await Promise.all([button(page).dblclick({ noWaitAfter: true }), button(other).click({ noWaitAfter: true })])
      for (const tab of [page, other]) await tab.getByRole('heading', { name: 'Test payment' }).waitFor()
      expect(await count('payment', id)).toBe(1)
      const approve = (tab: Page) => tab.getByRole('button', { name: 'Approve' })
      await Promise.all([approve(page).dblclick({ noWaitAfter: true }), approve(other).click({ noWaitAfter: true })])
      for (const tab of [page, other]) await success(tab)
    })
    expect(await count('store_order', id)).toBe(1)
  })

  it('shows the current state after the back button, and pays no second time', async () => {
    const { url, id } = await aCheckout()
    await asShopper(async (page) => {
      await page.goto(url)
      await pay(page, 'Approve')
      await success(page)
      await page.goBack()
      await page.goBack()
      await success(page)
    })
    expect(await count('payment', id)).toBe(1)
  })

  it('can be used with the keyboard alone', async () => {
    const { url } = await aCheckout()
    await asShopper(async (page) => {
      await page.goto(url)
      const focus = async (name: string) => {
        for (let steps = 0; steps < 20; steps += 1) {
          await page.keyboard.press('Tab')
          if (String(await page.evaluate(focusedText)).includes(name)) return
        }
        throw new Error(`The keyboard does not reach ${name}.`)
      }
      await focus('Email address')
      await page.keyboard.type('ada@example.com')
      await focus('Test payment')
      await focus('Pay €37.50')
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: 'Test payment' }).waitFor()
      await expectAccessible(page)
      await focus('Approve')
      await page.keyboard.press('Enter')
      await success(page)
    })
  })

  it('tells a screen reader what it shows', async () => {
    const { url } = await aCheckout()
    await asShopper(async (page) => {
      await page.goto(url)
      const names = await page.locator('main').ariaSnapshot()
      expect(names).toContain('textbox "Email address"')
      expect(names).toContain('radio "Test payment No real money is charged."')
      expect(names).toContain('button "Pay €37.50"')
      for (const name of ['Your order', 'Payment method']) await page.getByRole('region', { name }).waitFor()
      await page.getByRole('group', { name: 'Payment method' }).waitFor()
    })
  })

  it.each([
    ['automatically', true],
    ['without script when the shopper checks again', false],
  ])('shows that a delayed payment has arrived, %s', async (_, javaScriptEnabled) => {
    const { url } = await aCheckout({ return_url: undefined })
    await asShopper(
      async (page) => {
        await page.clock.install()
        await page.goto(url)
        await pay(page, 'Delay')
        await page.getByRole('heading', { name: 'Your payment is being processed' }).waitFor()
        if (javaScriptEnabled) await expectAccessible(page)
        const other = await page.context().newPage()
        await other.goto(page.url())
        await other.getByRole('link', { name: 'Test payment' }).click()
        await other.getByRole('button', { name: 'Approve' }).click()
        await success(other)
        if (javaScriptEnabled) await page.clock.fastForward(pollMs)
        else await page.getByRole('link', { name: 'Check again' }).click()
        await success(page)
        await page.getByText('You can close this page.').waitFor()
        expect(await page.getByRole('link', { name: /^Return to/ }).count()).toBe(0)
      },
      { javaScriptEnabled },
    )
  })

  it('shows the time until which it can be paid in the time zone of the shopper, and in UTC without script', async () => {
    const { url } = await aCheckout()
    for (const [javaScriptEnabled, timezoneId] of [
      [true, 'Asia/Tokyo'],
      [false, 'UTC'],
    ] as const) {
      await asShopper(
        async (page) => {
          await page.goto(url)
          const time = page.locator('time')
          const format = new Intl.DateTimeFormat('de-AT', {
            dateStyle: 'long',
            timeStyle: 'short',
            timeZone: timezoneId,
          })
          const local = format.format(new Date((await time.getAttribute('datetime')) ?? ''))
          expect(await time.textContent()).toBe(javaScriptEnabled ? local : `${local} UTC`)
        },
        { javaScriptEnabled, timezoneId: 'Asia/Tokyo', locale: 'de-AT' },
      )
    }
  })

  it('says that a session has expired, was canceled or is unknown, with a link back', async () => {
    const expired = await aCheckout()
    await database.query(`update checkout.checkout_session set expires_at = created_at where id = $1`, [expired.id])
    await asShopper(async (page) => {
      await page.goto(expired.url)
      expect(await headingOf(page)).toBe('This checkout has expired')
      const back = page.getByRole('link', { name: /^Return to/ })
      expect(await back.getAttribute('href')).toBe('https://shop.example/basket')
      await expectAccessible(page)
      for (const token of ['', 'a'.repeat(28), '<script>']) {
        const response = await page.goto(`${pagesUrl}/checkout/?t=${encodeURIComponent(token)}`)
        expect(response?.status()).toBe(404)
        expect(await headingOf(page)).toBe('This link is not valid')
      }
      await expectAccessible(page)
    })
  })

  it('returns to the store automatically if the session requests it', async () => {
    const { url } = await aCheckout({ auto_redirect: true })
    await asShopper(async (page) => {
      const arrival = page.waitForRequest('https://shop.example/thanks')
      await page.goto(url)
      await pay(page, 'Approve')
      // The token in the address of our page stays with us.
      expect((await arrival).headers()).not.toHaveProperty('referer')
    })
  })

  it('returns to the store automatically when a delayed payment has arrived', async () => {
    const { url } = await aCheckout({ auto_redirect: true })
    await asShopper(async (page) => {
      await page.clock.install()
      await page.goto(url)
      await pay(page, 'Delay')
      await page.getByRole('heading', { name: 'Your payment is being processed' }).waitFor()
      const other = await page.context().newPage()
      await other.goto(page.url())
      await other.getByRole('link', { name: 'Test payment' }).click()
      const paid = other.waitForRequest('https://shop.example/thanks')
      await other.getByRole('button', { name: 'Approve' }).click()
      await paid
      const arrival = page.waitForRequest('https://shop.example/thanks')
      await page.clock.fastForward(pollMs)
      await arrival
    })
  })

  it.each([
    ['de-AT', 'Deine Bestellung', '€ 37,50 bezahlen'],
    ['es-ES', 'Tu pedido', 'Pagar 37,50 €'],
    ['pt-BR', 'Seu pedido', 'Pagar € 37,50'],
    ['fr-FR', 'Votre commande', 'Payer 37,50 €'],
    ['ja-JP', 'ご注文内容', '€37.50 を支払う'],
    ['zh-CN', '你的订单', '支付 €37.50'],
    ['ru-RU', 'Ваш заказ', 'Оплатить 37,50 €'],
    ['pl-PL', 'Twoje zamówienie', 'Zapłać 37,50 €'],
    ['nl-NL', 'Je bestelling', '€ 37,50 betalen'],
    ['ko-KR', 'Your order', 'Pay €37.50'],
  ])('speaks the language of the shopper: %s', async (locale, heading, button) => {
    const { url } = await aCheckout()
    await asShopper(
      async (page) => {
        await page.goto(url)
        await page.getByRole('heading', { name: heading }).waitFor()
        const text = (await page.locator('#pay').getByRole('button').textContent()) ?? ''
        expect(text.replace(/[\u00a0\u202f]/g, ' ')).toBe(button)
        expect(await page.getAttribute('html', 'lang')).toBe(locale === 'ko-KR' ? 'en' : locale.slice(0, 2))
        await expectFits(page)
      },
      { locale },
    )
  })

  it('changes the language that the shopper chooses, and keeps the checkout', async () => {
    const { url } = await aCheckout()
    await asShopper(async (page) => {
      await page.goto(url)
      await page.getByLabel('Language').selectOption('nl')
      await page.getByRole('button', { name: 'Change' }).click()
      await page.getByRole('heading', { name: 'Je bestelling' }).waitFor()
      expect(page.url()).toBe(url)
      await expectAccessible(page)
    })
  })
})
