import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import { errors } from '@storekeep/common/errors'
import { fakeService, randomId, useFakeProcess, useFakeService } from '@storekeep/common/testing'
import { CustomersService } from '@storekeep/proto/customers/v1/customers_service'
import { CommandAttemptState, DeliveryItemState, RevokeReason } from '@storekeep/proto/delivery/v1/delivery_item'
import { OrdersService } from '@storekeep/proto/orders/v1/orders_service'
import { PaymentsService } from '@storekeep/proto/orders/v1/payments_service'
import { StoresService } from '@storekeep/proto/stores/v1/stores_service'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { anAttempt, anItem, type ItemInit, inDays, useFakeDelivery } from './fake-delivery.ts'
import { startPages } from './start-pages.ts'

const storeId = randomId()
const [customerId, friendId] = [randomId(), randomId()]
const order = { id: randomId(), number: 7n, customerId, createdAt: inDays(0) }
const cookie = `__Host-portal=${storeId}.${'a'.repeat(28)}`

const stores = useFakeService(StoresService, { getStore: async () => ({ store: { id: storeId, name: 'Isles' } }) })
const customers = useFakeService(CustomersService, {
  getPortalCustomer: async () => ({ portalSession: { storeId }, customer: { id: customerId } }),
  batchGetCustomerNames: async () => ({ names: { [friendId]: 'Robin Friend' } }),
})
const orders = useFakeProcess('orders', [
  fakeService(OrdersService, {
    listCustomerOrders: async () => ({ orders: [{ ...order, currency: 'eur' }] }),
    async getCustomerOrder({ orderId }) {
      if (orderId !== order.id) throw errors.notFound('order')
      return { order: { ...order, currency: 'eur', lines: [{ name: 'VIP', giftToCustomerId: friendId }] } }
    },
  }),
  fakeService(PaymentsService, {
    getPaymentState: async () => ({
      session: { id: randomId(), storeId, customerId, currency: 'eur' },
      order: state.order,
    }),
  }),
])
const delivery = useFakeDelivery()
const state = { order: order as Partial<typeof order> }

let pages: Awaited<ReturnType<typeof startPages>>
beforeAll(async () => {
  pages = await startPages({
    STORES_ADDRESS: stores.address,
    CUSTOMERS_ADDRESS: customers.address,
    ORDERS_ADDRESS: orders.address,
    DELIVERY_ADDRESS: delivery.address(),
  })
})
afterAll(() => pages.stop())
beforeEach(() => {
  Object.assign(delivery, { items: [], gameServers: new Map(), outage: 'none' })
  delivery.lists.length = 0
  state.order = order
})

const open = (path: string, language = 'en') =>
  pages.send({ host: 'me.example', path, headers: { cookie, 'accept-language': language } })

/** The entries of the list of items, each as its lines. */
function entriesOf(body: string): string[][] {
  const [, list = ''] = /aria-labelledby="(?:items|next)">(.*?)<\/section>/s.exec(body) ?? []
  return [...list.matchAll(/<li>(.*?)<\/li>/gs)].map(([, entry = '']) =>
    [...entry.matchAll(/<p[^>]*>(.*?)<\/p>/gs)].map(([, line = '']) => line.replace(/<[^>]*>/g, '')),
  )
}

const own = (name: string, fields: ItemInit = {}) => anItem(name, { customerId, ...fields })

describe('the account', () => {
  it('shows what waits and for what, what was delivered and when it expires', async () => {
    delivery.gameServers = new Map([
      ['1', 'Survival'],
      ['2', 'Creative'],
    ])
    const executed = { state: CommandAttemptState.EXECUTED }
    const active = { state: DeliveryItemState.ACTIVE, activeAt: inDays(-1) }
    const blocked = { state: CommandAttemptState.BLOCKED, missingPlaceholders: ['customer.minecraft.uuid'] }
    const key = own('Crate key', { commandAttempts: [anAttempt({ gameServerId: '1' })] })
    delivery.items = [
      own('VIP rank', {
        commandAttempts: ['1', '2'].map((gameServerId) => anAttempt({ gameServerId, onlineOnly: true })),
      }),
      own('Pet', { commandAttempts: [anAttempt(blocked)] }),
      key,
      { ...key, id: randomId() },
      own('Boost', { ...active, commandAttempts: [anAttempt(executed)], expiresAt: inDays(30) }),
      own('Badge', { ...active, gift: true }),
      own('Hat', { state: DeliveryItemState.USED }),
      anItem('Cape', { customerId: friendId }),
    ].reverse()
    const { status, body } = await open('/')
    expect(status).toBe(200)
    expect(entriesOf(body)).toEqual([
      ['VIP rank', 'Not delivered yet', 'Join Survival and Creative to receive VIP rank.'],
      ['Pet', 'Not delivered yet', 'Add your Minecraft account in the store to receive Pet.'],
      ['Crate key', 'Not delivered yet', 'Quantity: 2', 'Waiting for Survival.'],
      ['Boost', 'Delivered on Dec 31, 1969 · Expires on Jan 31, 1970'],
      ['Badge', 'Added on Dec 31, 1969', 'Gift'],
    ])
    expect(delivery.lists).toEqual([{ customerId, orderId: undefined, activeOnly: true }])
  })

  it.each([
    ['de', 'Betritt Survival, Creative, Skyblock und 2 weitere Server, um VIP zu erhalten.'],
    ['es', 'Entra en Survival, Creative, Skyblock y 2 servidores más para recibir VIP.'],
    ['pt', 'Entre em Survival, Creative, Skyblock e mais 2 servidores para receber VIP.'],
    ['fr', 'Rejoignez Survival, Creative, Skyblock et 2 autres serveurs pour recevoir VIP.'],
  ])('names up to three servers, and counts the others: %s', async (language, text) => {
    const names = ['Survival', 'Creative', 'Skyblock', 'Prison', 'Lobby']
    delivery.gameServers = new Map(names.map((name, index) => [String(index), name]))
    const commandAttempts = names.map((_, index) => anAttempt({ gameServerId: String(index), onlineOnly: true }))
    delivery.items = [own('VIP', { commandAttempts })]
    expect(entriesOf((await open('/', language)).body)[0]?.at(-1)).toBe(text)
  })

  it('names no server that was deleted', async () => {
    delivery.items = [own('VIP', { commandAttempts: [anAttempt({ gameServerId: '9', onlineOnly: true })] })]
    expect(entriesOf((await open('/')).body)).toEqual([
      ['VIP', 'Not delivered yet', 'Join the game server to receive VIP.'],
    ])
  })

  it.each(['unavailable', 'hanging'] as const)(
    'shows the orders, and says that the items cannot be shown, while the delivery service is %s',
    async (outage) => {
      delivery.outage = outage
      const { status, body } = await open('/')
      expect(status).toBe(200)
      expect(body).toContain('The delivery status cannot be shown right now.')
      expect(body).toContain('Order 7')
    },
  )
})

describe('the list of all items', () => {
  it('has what has ended, in pages', async () => {
    const ended = { removedAt: inDays(0) }
    const revoked = (revokeReason: RevokeReason) => ({
      state: DeliveryItemState.REVOKED,
      revokedAt: inDays(0),
      revokeReason,
    })
    delivery.items = [
      ...Array.from({ length: 20 }, (_, index) => own(`Key ${index}`)),
      own('Hat', { ...ended, state: DeliveryItemState.USED }),
      own('Pass', { ...ended, state: DeliveryItemState.RENEWED }),
      own('Cape', revoked(RevokeReason.REFUND)),
      own('Sword', revoked(RevokeReason.CHARGEBACK)),
      own('Bow', revoked(RevokeReason.MANUAL)),
    ].reverse()
    const first = await open('/items')
    expect(entriesOf(first.body)).toHaveLength(20)
    expect(first.body).not.toContain('Newest items')
    const [, older = ''] = /href="([^"]+)">Older items/.exec(first.body) ?? []
    const second = await open(older)
    expect(entriesOf(second.body)).toEqual([
      ['Hat', 'Expired on Jan 1, 1970'],
      ['Pass', 'Renewed on Jan 1, 1970'],
      ['Cape', 'Revoked on Jan 1, 1970 because of a refund'],
      ['Sword', 'Revoked on Jan 1, 1970 because the payment was charged back'],
      ['Bow', 'Revoked by the store on Jan 1, 1970'],
    ])
    expect(second.body).not.toContain('Older items')
    expect(second.body).toContain('href="/items">Newest items')
    expect(delivery.lists.map(({ customerId }) => customerId)).toEqual([customerId, customerId])
  })

  it('ignores a malformed cursor', async () => {
    delivery.items = [own('VIP')]
    expect(entriesOf((await open('/items?items=%3Cb%3E')).body)).toHaveLength(1)
  })

  it('needs a session', async () => {
    expect((await pages.send({ host: 'me.example', path: '/items' })).status).toBe(404)
    expect(delivery.lists).toEqual([])
  })
})

describe('the page of an order', () => {
  const ofOrder = { orderId: order.id }

  it('shows what its recipients have received, and what they still have to do', async () => {
    const blocked = { state: CommandAttemptState.BLOCKED, missingPlaceholders: ['customer.xbox.xuid'] }
    delivery.items = [
      own('VIP', { ...ofOrder, commandAttempts: [anAttempt({ onlineOnly: true })] }),
      anItem('Pass', {
        ...ofOrder,
        customerId: friendId,
        gift: true,
        commandAttempts: [anAttempt({ onlineOnly: true })],
      }),
      anItem('Cape', { ...ofOrder, customerId: friendId, gift: true, commandAttempts: [anAttempt(blocked)] }),
      own('Hat', { orderId: randomId() }),
    ]
    const { body } = await open(`/orders/${order.id}`)
    expect(entriesOf(body)).toEqual([
      ['VIP', 'Not delivered yet', 'Join the game server to receive VIP.'],
      ['Pass', 'Not delivered yet', 'Gift for Robin Friend', 'Robin Friend still has to join the game server.'],
      ['Cape', 'Not delivered yet', 'Gift for Robin Friend', 'Robin Friend still has to add their Xbox account.'],
    ])
  })

  it('shows no items of an order of another customer', async () => {
    const orderId = randomId()
    delivery.items = [anItem('Hat', { orderId })]
    const { status, body } = await open(`/orders/${orderId}`)
    expect(status).toBe(404)
    expect(body).not.toContain('Hat')
  })

  it('shows the receipt alone if the order has no items, and while the delivery service is unavailable', async () => {
    expect((await open(`/orders/${order.id}`)).body).not.toContain('Delivery</h2>')
    delivery.outage = 'unavailable'
    const { status, body } = await open(`/orders/${order.id}`)
    expect(status).toBe(200)
    expect(body).toContain('Receipt for order 7')
    expect(body).toContain('The delivery status cannot be shown right now.')
  })

  it('has all items of a large order, in pages', async () => {
    delivery.items = Array.from({ length: 45 }, (_, index) => own(`Key ${index}`, ofOrder))
    const counts: number[] = []
    for (let path: string | undefined = `/orders/${order.id}`; path !== undefined; ) {
      const { body }: { body: string } = await open(path)
      counts.push(entriesOf(body).length)
      path = /href="([^"#]+)#items">More items/.exec(body)?.[1]
    }
    expect(counts).toEqual([20, 20, 5])
  })
})

describe('the page of a paid checkout', () => {
  const executed = [anAttempt({ state: CommandAttemptState.EXECUTED })]
  const ofOrder = { orderId: order.id, state: DeliveryItemState.ACTIVE, activeAt: inDays(0) }
  const open = async () => {
    const { body } = await pages.send({ path: `/?t=${'a'.repeat(28)}` })
    const [, next] = /<h2 id="next">What happens next<\/h2>\s*(.*?)\s*<\/section>/s.exec(body) ?? []
    return { body, next: next ?? '', polls: body.includes('data-poll-seconds') }
  }

  it('says what the buyer has to do, and looks for changes', async () => {
    delivery.gameServers = new Map([['1', 'Survival']])
    const waiting = [anAttempt({ gameServerId: '1', onlineOnly: true })]
    delivery.items = [
      own('VIP', { ...ofOrder, state: DeliveryItemState.USABLE, commandAttempts: waiting }),
      own('Kit', { ...ofOrder, commandAttempts: executed }),
    ]
    const { body, polls } = await open()
    expect(entriesOf(body)).toEqual([['VIP', 'Not delivered yet', 'Join Survival to receive VIP.']])
    expect(body).toContain('Check again')
    expect(polls).toBe(true)
  })

  it('says that the delivery is being prepared until there are items', async () => {
    expect(await open()).toMatchObject({ next: expect.stringContaining('is being prepared for delivery'), polls: true })
  })

  it('says nothing about an older order that has no items', async () => {
    state.order = { ...order, createdAt: timestampFromMs(-2 * 60 * 60_000) }
    expect(await open()).toMatchObject({ next: '', polls: false })
  })

  it('says that everything was delivered, or that the store delivers what has no commands', async () => {
    delivery.items = [own('Kit', { ...ofOrder, commandAttempts: executed })]
    expect(await open()).toMatchObject({ next: expect.stringContaining('has been delivered'), polls: false })
    delivery.items = [...delivery.items, own('Badge', ofOrder)]
    expect(await open()).toMatchObject({ next: expect.stringContaining('The store will deliver'), polls: false })
  })

  it('thanks for the order while the delivery service is unavailable', async () => {
    delivery.outage = 'unavailable'
    const { body, next } = await open()
    expect(body).toContain('Thank you for your order!')
    expect(next).toContain('cannot be shown right now')
  })
})
