import { randomId } from '@storekeep/common/testing'
import { CommandAttemptState, DeliveryItemState, RevokeReason } from '@storekeep/proto/delivery/v1/delivery_item'
import { describe, expect, it } from 'vitest'
import { aCommand, anItem, inDays } from './fake-delivery.ts'
import { customerId, entriesOf, friendId, order, own, subscription, useDeliveryPages } from './use-delivery-pages.ts'

const { delivery, portal: open } = useDeliveryPages()

describe('the account', () => {
  it('shows what waits and for what, what was delivered and when it expires', async () => {
    delivery.gameServers = new Map([
      ['1', 'Survival'],
      ['2', 'Creative'],
    ])
    const executed = { state: CommandAttemptState.EXECUTED }
    const active = { state: DeliveryItemState.ACTIVE, activeAt: inDays(-1) }
    const blocked = { state: CommandAttemptState.BLOCKED, missingPlaceholders: ['customer.minecraft.uuid'] }
    const key = own('Crate key', { commands: [aCommand({ gameServerId: '1' })] })
    delivery.items = [
      own('VIP rank', {
        commands: ['1', '2'].map((gameServerId) => aCommand({ gameServerId, onlineOnly: true })),
      }),
      own('Pet', { commands: [aCommand(blocked)] }),
      key,
      { ...key, id: randomId() },
      own('Boost', { ...active, commands: [aCommand(executed)], expiresAt: inDays(30) }),
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
    expect(delivery.lists).toEqual([{ customerId, orderId: undefined, subscriptionId: undefined, activeOnly: true }])
  })

  it.each([
    ['de', 'Betritt Survival, Creative, Skyblock und 2 weitere Server, um VIP zu erhalten.'],
    ['es', 'Entra en Survival, Creative, Skyblock y 2 servidores más para recibir VIP.'],
    ['pt', 'Entre em Survival, Creative, Skyblock e mais 2 servidores para receber VIP.'],
    ['fr', 'Rejoignez Survival, Creative, Skyblock et 2 autres serveurs pour recevoir VIP.'],
  ])('names up to three servers, and counts the others: %s', async (language, text) => {
    const names = ['Survival', 'Creative', 'Skyblock', 'Prison', 'Lobby']
    delivery.gameServers = new Map(names.map((name, index) => [String(index), name]))
    const commands = names.map((_, index) => aCommand({ gameServerId: String(index), onlineOnly: true }))
    delivery.items = [own('VIP', { commands })]
    expect(entriesOf((await open('/', { language })).body)[0]?.at(-1)).toBe(text)
  })

  it('names no server that was deleted', async () => {
    delivery.items = [own('VIP', { commands: [aCommand({ gameServerId: '9', onlineOnly: true })] })]
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
    expect((await open('/items', { isSignedIn: false })).status).toBe(404)
    expect(delivery.lists).toEqual([])
  })
})

describe('the page of an order', () => {
  const ofOrder = { orderId: order.id }

  it('shows what its recipients have received, and what they still have to do', async () => {
    const blocked = { state: CommandAttemptState.BLOCKED, missingPlaceholders: ['customer.xbox.xuid'] }
    delivery.items = [
      own('VIP', { ...ofOrder, commands: [aCommand({ onlineOnly: true })] }),
      anItem('Pass', {
        ...ofOrder,
        customerId: friendId,
        gift: true,
        commands: [aCommand({ onlineOnly: true })],
      }),
      anItem('Cape', { ...ofOrder, customerId: friendId, gift: true, commands: [aCommand(blocked)] }),
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

describe('the page of a subscription', () => {
  const ofSubscription = { subscriptionId: subscription.id }
  const path = `/subscriptions/${subscription.id}`

  it('shows what became of the items of all periods, newest first, in pages', async () => {
    const renewed = own('VIP', { ...ofSubscription, state: DeliveryItemState.RENEWED, removedAt: inDays(0) })
    delivery.items = [
      ...Array.from({ length: 19 }, () => ({ ...renewed, id: randomId() })),
      own('Hat', { subscriptionId: randomId() }),
      anItem('Pass', {
        ...ofSubscription,
        customerId: friendId,
        gift: true,
        commands: [aCommand({ onlineOnly: true })],
      }),
      own('VIP', { ...ofSubscription, commands: [aCommand({ onlineOnly: true })] }),
    ]
    const { body } = await open(path)
    expect(entriesOf(body)).toEqual([
      ['VIP', 'Not delivered yet', 'Join the game server to receive VIP.'],
      ['Pass', 'Not delivered yet', 'Gift for Robin Friend', 'Robin Friend still has to join the game server.'],
      ['VIP', 'Renewed on Jan 1, 1970', 'Quantity: 18'],
    ])
    const [, older = ''] = /href="([^"#]+)#items">Older items/.exec(body) ?? []
    const second = await open(older)
    expect(entriesOf(second.body)).toEqual([['VIP', 'Renewed on Jan 1, 1970']])
    expect(second.body).toContain(`href="${path}#items">Newest items`)
  })

  it('shows no items of a subscription of another customer', async () => {
    const subscriptionId = randomId()
    delivery.items = [anItem('Hat', { subscriptionId })]
    const { status, body } = await open(`/subscriptions/${subscriptionId}`)
    expect(status).toBe(404)
    expect(body).not.toContain('Hat')
  })

  it('shows the orders alone if the subscription has no items, and while the delivery service is unavailable', async () => {
    expect((await open(path)).body).not.toContain('Delivery</h2>')
    delivery.outage = 'unavailable'
    const { status, body } = await open(path)
    expect(status).toBe(200)
    expect(body).toContain('Order 7')
    expect(body).toContain('The delivery status cannot be shown right now.')
  })
})
