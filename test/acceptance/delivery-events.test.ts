import { fresh, type GameServerBody, openDelivery, useSharedSystem, waitFor } from '@storekeep/test/kit'
import { expect, it } from 'vitest'

const { createStore, shopper } = await useSharedSystem()

interface DeliveryBody {
  id: string
  event_type: string
}

const eventTypes = [
  'delivery_item.added',
  'delivery_item.activated',
  'delivery_item.used',
  'delivery_item.expired',
  'delivery_item.revoked',
  'delivery_command.executed',
  'game_server.created',
  'game_server.updated',
  'game_server.linked',
  'game_server.deleted',
  'customer.joined',
]

it('a store receives the events of its servers, items and commands as webhooks', async () => {
  const { store, shop, buy, settledItems, gameServer } = await openDelivery(
    await createStore({ game: 'rust' }),
    shopper,
  )
  const endpoint = await store.post<{ id: string }>('/webhook-endpoints', {
    // Nothing listens there: the deliveries show what would be sent.
    ...{ url: 'http://127.0.0.1:9/', event_types: eventTypes },
  })
  expect(endpoint.status, endpoint.text).toBe(200)
  const server = await gameServer({ name: 'Survival' })
  await server.call('POST', '/gameserver/link', { json: { ip: '', hostname: 'a', platform: 'rust', version: '1' } })
  const product = await shop.product({
    gameservers: [server.id],
    commands: [{ stage: 'on_purchase', content: 'give {customer.steam.id}', online_only: false }],
  })
  const buyer = await shop.customer({ steam_id: fresh.steamId() })
  const order = await buy({ customer_id: buyer.id, lines: [{ product_id: product.id, quantity: 1 }] })
  await server.acknowledge(await server.receive(1))
  const [item] = await settledItems(order.id, ([one]) => one?.state === 'active')
  const joined = {
    event: 'player_join',
    timestamp: new Date().toISOString(),
    player_join: { steam_id: buyer.steam_id },
  }
  await server.call('POST', '/events', { json: [joined] })
  await store.delete(`/customers/${buyer.id}/delivery/items/${item?.id}`)
  const override_expires_at = new Date(Date.now() + 1000).toISOString()
  const grant = { product_id: product.id, quantity: 1, skip_commands: true, override_expires_at }
  expect((await store.post(`/customers/${buyer.id}/delivery/items`, grant)).status).toBe(200)
  await store.patch<GameServerBody>(`/gameservers/${server.id}`, { name: 'Creative' })
  await store.delete(`/gameservers/${server.id}`)

  const path = `/webhook-endpoints/${endpoint.body.id}/deliveries`
  const deliveries = await waitFor('an event of each type', async () => {
    const { body } = await store.get<DeliveryBody[]>(`${path}?limit=100`)
    return eventTypes.every((type) => body.some(({ event_type }) => event_type === type)) && body
  })
  const bodyOf = async (type: string) => {
    const of = deliveries.filter(({ event_type }) => event_type === type)
    const read = await store.get<{ request_body: string }>(`${path}/${of.at(-1)?.id}`)
    return JSON.parse(read.body.request_body) as { type: string; data: Record<string, unknown> }
  }
  expect(JSON.stringify(await bodyOf('delivery_item.activated'))).toContain(`"id":"${item?.id}"`)
  expect(JSON.stringify(await bodyOf('delivery_command.executed'))).toContain(`give ${buyer.steam_id}`)
  expect(JSON.stringify(await bodyOf('game_server.created'))).not.toContain('skgs_')
  expect(JSON.stringify(await bodyOf('customer.joined'))).toContain(buyer.id)
})
