import type { MessageInitShape } from '@bufbuild/protobuf'
import { randomId, useFakeService } from '@storekeep/common/testing'
import { PaymentsService } from '@storekeep/proto/orders/v1/payments_service'
import type { StoreSchema } from '@storekeep/proto/stores/v1/store'
import { StoresService } from '@storekeep/proto/stores/v1/stores_service'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startPages } from './start-pages.ts'

let store: MessageInitShape<typeof StoreSchema> = {}

const stores = useFakeService(StoresService, {
  getStore: async () => ({ store: { id: '1', name: 'Isles', ...store } }),
})
const orders = useFakeService(PaymentsService, {
  getPaymentState: async () => ({ session: { id: randomId(), storeId: '1', totalAmount: 100n, currency: 'eur' } }),
  listPaymentMethods: async () => ({ providers: [] }),
})

let pages: Awaited<ReturnType<typeof startPages>>
beforeAll(async () => {
  pages = await startPages({ STORES_ADDRESS: stores.address, ORDERS_ADDRESS: orders.address })
})
afterAll(() => pages.stop())

async function footerOf(shown: MessageInitShape<typeof StoreSchema>, language = 'en'): Promise<string | undefined> {
  store = shown
  const { body } = await pages.send({ path: `/?t=${'a'.repeat(28)}`, headers: { 'accept-language': language } })
  return /<div class="store-footer"[\s\S]*?<[/]div>/.exec(body)?.[0]
}

describe('the footer of a page', () => {
  it('names the seller and links to the legal pages, the website and the support of the store', async () => {
    const footer = await footerOf({
      websiteUrl: 'https://www.isles.example/shop',
      supportEmail: 'help+shop@isles.example',
      links: {
        terms: 'https://isles.example/terms',
        privacy: 'https://isles.example/privacy',
        refunds: 'https://isles.example/refunds',
      },
      seller: { name: 'Isles GmbH', address: 'Weg 1\n10115 Berlin', taxId: 'DE123456789', register: 'HRB 1' },
    })
    const links = [...(footer ?? '').matchAll(/<a href="([^"]*)"[^>]*>([^<]*)</g)].map(([, href, text]) => [text, href])
    expect(links).toEqual([
      ['Website', 'https://www.isles.example/shop'],
      ['Terms', 'https://isles.example/terms'],
      ['Privacy', 'https://isles.example/privacy'],
      ['Refund policy', 'https://isles.example/refunds'],
      ['help+shop@isles.example', 'mailto:help%2Bshop@isles.example'],
    ])
    expect(footer).toContain('Sold by Isles GmbH · Weg 1, 10115 Berlin · Tax ID DE123456789 · HRB 1')
  })

  it('shows what is set, in the language of the shopper, and escapes it', async () => {
    const footer = await footerOf({ seller: { name: '<b>Isles</b>' } }, 'de')
    expect(footer).toContain('<p>Verkauft von &lt;b&gt;Isles&lt;/b&gt;</p>')
    expect(footer).not.toContain('<li>')
  })

  it('is absent if nothing is set', async () => {
    expect(await footerOf({})).toBeUndefined()
  })
})
