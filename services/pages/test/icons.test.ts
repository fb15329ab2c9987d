import { present } from '@storekeep/common/message'
import { randomId, useFakeService } from '@storekeep/common/testing'
import { type ImageWidth, imageAddress } from '@storekeep/proto/conventions/image-address'
import { PaymentsService } from '@storekeep/proto/orders/v1/payments_service'
import { StoresService } from '@storekeep/proto/stores/v1/stores_service'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startPages } from './start-pages.ts'

const square = 'https://cdn.example/square.png'
const wide = 'https://cdn.example/wide.png'
const icon = 'https://cdn.example/icon.png'
const logos = { logoUrl: wide, logoSquareUrl: square as string | undefined, iconUrl: undefined as string | undefined }

const stores = useFakeService(StoresService, {
  getStore: async () => ({
    store: present({ id: '1', name: 'Isles', ...logos }),
  }),
})
const orders = useFakeService(PaymentsService, {
  getPaymentState: async () => ({ session: { id: randomId(), storeId: '1', totalAmount: 100n, currency: 'eur' } }),
  listPaymentMethods: async () => ({ providers: [] }),
})

let pages: Awaited<ReturnType<typeof startPages>>
beforeAll(async () => {
  pages = await startPages({
    STORES_ADDRESS: stores.address,
    ORDERS_ADDRESS: orders.address,
  })
})
afterAll(() => pages.stop())

describe('the icon of a page', () => {
  it.each(['pay.example', 'me.example'])(
    'is served where the page of %s names it, and at /favicon.ico',
    async (host) => {
      const page = await pages.send({ host, path: '/' })
      const [, path = ''] = /<link rel="icon" href="([^"]+)"/.exec(page.body) ?? []
      for (const icon of [path, '/favicon.ico']) {
        const { status, body } = await pages.send({ host, path: icon })
        expect([status, body]).toEqual([200, expect.stringContaining('<svg')])
      }
    },
  )

  it('is the one of the store, if it has one', async () => {
    const iconOf = async () => /<link rel="icon" href="([^"]+)"/.exec((await page()).body)?.[1]
    expect(await iconOf()).toContain('favicon.svg')
    logos.iconUrl = icon
    expect(await iconOf()).toBe(copyOf(icon, 64))
  })
})

describe('the logo of a store', () => {
  it('is the square one, or else the main one, which is not cropped to a square', async () => {
    const logoOf = async () => /<header[^>]*>\s*(<img[^>]*>)/.exec((await page()).body)?.[1]
    expect(await logoOf()).toMatch(`width="40" src="${copyOf(square, 64)}"`)
    logos.logoSquareUrl = undefined
    const main = await logoOf()
    expect(main).toMatch(`class="wide" src="${copyOf(wide, 256)}"`)
    expect(main).not.toContain('width=')
  })
})

function page() {
  return pages.send({ path: `/?t=${'a'.repeat(28)}` })
}

function copyOf(url: string, width: ImageWidth): string {
  return imageAddress('', '1', url, width)
}
