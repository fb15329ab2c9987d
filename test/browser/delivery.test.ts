import { deriveCallKeys } from '@storekeep/common/crypto'
import type { RunningHttpServer } from '@storekeep/common/http'
import { fakeService, randomId, testCallSecret, useFakeProcess, useFakeService } from '@storekeep/common/testing'
import { freePort } from '@storekeep/local/infra'
import { CheckoutService } from '@storekeep/proto/checkout/v1/checkout_service'
import { CustomersService } from '@storekeep/proto/customers/v1/customers_service'
import { CommandAttemptState, DeliveryItemState } from '@storekeep/proto/delivery/v1/delivery_item'
import { OrdersService } from '@storekeep/proto/orders/v1/orders_service'
import { PaymentProvider } from '@storekeep/proto/orders/v1/payment'
import { PaymentsService } from '@storekeep/proto/orders/v1/payments_service'
import { StoresService } from '@storekeep/proto/stores/v1/stores_service'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { readConfig } from '../../services/pages/src/config.ts'
import { start } from '../../services/pages/src/start.ts'
import { aCommand, anItem, inDays, useFakeDelivery } from '../../services/pages/test/fake-delivery.ts'
import { asShopper, expectAccessible } from './shopper.ts'

const storeId = randomId()
const customerId = randomId()
const line = { name: 'VIP rank', quantity: 1, unitPrice: 1250n, selectedGameserverId: '1', gameServerChoice: {} }
let isPaid = true
const amounts = { currency: 'eur', subtotalAmount: 1250n, totalAmount: 1250n }
const order = { id: randomId(), number: 7n, customerId, lines: [line], ...amounts }

const stores = useFakeService(StoresService, { getStore: async () => ({ store: { id: storeId, name: 'Isles' } }) })
const customers = useFakeService(CustomersService, {
  exchangePortalToken: async () => ({ secret: 'a'.repeat(28), portalSession: { storeId, expiresAt: inDays(30_000) } }),
  getPortalCustomer: async () => ({ portalSession: { storeId }, customer: { id: customerId, createdAt: inDays(0) } }),
})
const orders = useFakeProcess('orders', [
  fakeService(OrdersService, {
    listCustomerOrders: async () => ({ orders: [order] }),
    getCustomerOrder: async () => ({ order }),
  }),
  fakeService(PaymentsService, {
    getPaymentState: async () => ({
      session: { id: randomId(), storeId, customerId, expiresAt: inDays(30_000), lines: [line], ...amounts },
      ...(isPaid && { order }),
    }),
    listPaymentMethods: async () => ({ providers: [PaymentProvider.TEST] }),
  }),
])
const checkout = useFakeService(CheckoutService, {
  listRequiredProducts: async () => ({ names: ['Starter pack', 'VIP'], all: true }),
})
const delivery = useFakeDelivery()

let pages: RunningHttpServer
let base = ''
beforeAll(async () => {
  const port = await freePort()
  base = `http://localhost:${port}`
  const config = readConfig({
    PORT: String(port),
    METRICS_PORT: '0',
    LOG_LEVEL: 'fatal',
    REQUEST_TIMEOUT_MS: '15000',
    CHECKOUT_BASE_URL: `${base}/checkout`,
    PORTAL_BASE_URL: `${base}/portal`,
    STORE_BASE_URL: `${base}/store`,
    STORES_ADDRESS: stores.address,
    CUSTOMERS_ADDRESS: customers.address,
    CHECKOUT_ADDRESS: checkout.address,
    ORDERS_ADDRESS: orders.address,
    DELIVERY_ADDRESS: delivery.address(),
    IMAGES_ADDRESS: '127.0.0.1:9',
    CUSTOM_VARIABLES_ADDRESS: '127.0.0.1:9',
    CALL_KEYS: deriveCallKeys(testCallSecret, 'pages'),
  })
  pages = await start(config)
})
afterAll(() => pages.stop())

const own = { customerId, orderId: order.id }
const executed = aCommand({ state: CommandAttemptState.EXECUTED })
const blocked = aCommand({
  state: CommandAttemptState.BLOCKED,
  missingPlaceholders: ['customer.minecraft.uuid'],
})

beforeEach(() => {
  isPaid = true
  delivery.gameServers = new Map([
    ['1', 'Survival'],
    ['2', 'Skyblock with a name that is far longer than a phone is wide'],
  ])
  delivery.items = [
    anItem('VIP rank', {
      ...own,
      commands: ['1', '2'].map((gameServerId) => aCommand({ gameServerId, onlineOnly: true, requiredSlots: 3 })),
    }),
    anItem('Pet', { ...own, commands: [blocked] }),
    anItem('Crate key', { ...own, commands: [aCommand({ gameServerId: '1' })] }),
    anItem('Season pass', { ...own, commands: [aCommand({ gameServerId: '1', dueAt: inDays(30_000) })] }),
    anItem('Boost', {
      ...own,
      state: DeliveryItemState.ACTIVE,
      activeAt: inDays(20_000),
      commands: [executed],
      expiresAt: inDays(30_000),
    }),
    anItem('Hat', { ...own, state: DeliveryItemState.USED, removedAt: inDays(20_000) }),
  ]
})

const link = () => `${base}/portal/?t=${'a'.repeat(28)}`
const join = 'Join Survival and Skyblock with a name that is far longer than a phone is wide to receive VIP rank.'

describe.each([
  [360, 'light'],
  [360, 'dark'],
  [1280, 'light'],
  [1280, 'dark'],
] as const)('the pages with delivery, %s pixels wide and %s', (width, colorScheme) => {
  it('are accessible, and say what the shopper has to do', async () => {
    await asShopper(
      async (page) => {
        await page.goto(link())
        await page.getByRole('region', { name: 'Your items' }).getByText(join).waitFor()
        await expectAccessible(page)
        await page.getByRole('link', { name: 'All items' }).click()
        await page.getByText('Expired on').waitFor()
        expect(await page.getByRole('listitem').count()).toBe(6)
        await expectAccessible(page)
        await page.getByRole('link', { name: 'Back to your account' }).click()
        await page.getByRole('link', { name: 'Order 7' }).click()
        await page.getByRole('region', { name: 'Delivery' }).getByText(join).waitFor()
        await expectAccessible(page)
        await page.goto(`${base}/checkout/?t=${'a'.repeat(28)}`)
        await page.getByRole('region', { name: 'What happens next' }).getByText(join).waitFor()
        await expectAccessible(page)
        isPaid = false
        await page.goto(`${base}/checkout/?t=${'a'.repeat(28)}&notice=server-unavailable&line=1`)
        await page.getByLabel('Game server').and(page.locator('[aria-invalid=true]')).waitFor()
        await expectAccessible(page)
        await page.goto(`${base}/checkout/?t=${'a'.repeat(28)}&notice=product-required&line=1`)
        await page.getByRole('alert').getByText('To buy VIP rank, you first need Starter pack and VIP.').waitFor()
        await expectAccessible(page)
      },
      { viewport: { width, height: 800 }, colorScheme },
    )
  })
})

describe('the page of a paid checkout', () => {
  it.each([true, false])('shows that an item has arrived, with JavaScript: %s', async (javaScriptEnabled) => {
    delivery.items = delivery.items.slice(0, 1)
    await asShopper(
      async (page) => {
        await page.clock.install()
        await page.goto(`${base}/checkout/?t=${'a'.repeat(28)}`)
        const next = page.getByRole('region', { name: 'What happens next' })
        await next.getByText(join).waitFor()
        delivery.items = [anItem('VIP rank', { ...own, state: DeliveryItemState.ACTIVE, commands: [executed] })]
        if (javaScriptEnabled) await page.clock.fastForward(20_000)
        else await page.getByRole('link', { name: 'Check again' }).click()
        await next.getByText('Everything in this order has been delivered.').waitFor()
      },
      { javaScriptEnabled },
    )
  })

  it('is not loaded again because it shows times in the time zone of the shopper', async () => {
    delivery.items = delivery.items.slice(3, 4)
    await asShopper(
      async (page) => {
        await page.clock.install()
        await page.goto(`${base}/checkout/?t=${'a'.repeat(28)}`)
        const time = page.locator('time')
        expect(await time.textContent()).not.toContain('UTC')
        await page.evaluate('window.isFirst = true')
        // The second poll starts only if the first one has found no change.
        for (const poll of ['first', 'second']) {
          const polled = page.waitForResponse((response) => response.request().resourceType() === 'fetch')
          await page.clock.fastForward(30_000)
          expect((await polled).ok(), poll).toBe(true)
        }
        expect(await page.evaluate('window.isFirst')).toBe(true)
      },
      { timezoneId: 'Asia/Tokyo' },
    )
  })
})
