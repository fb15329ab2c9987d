import {
  connectGameServer,
  expectFault,
  fresh,
  type GameServerBody,
  openDelivery,
  unknownId,
  useSharedSystem,
} from '@storekeep/test/kit'
import { describe, expect, it } from 'vitest'

const { createStore, shopper } = await useSharedSystem()

const delivery = await openDelivery(await createStore(), shopper)
const { store, shop } = delivery
const linkInput = { ip: '203.0.113.7', hostname: 'survival', platform: 'bukkit', version: '1.2.3' }

interface LinkBody {
  gameserver: { id: string; name: string; enabled: boolean }
  previously_linked?: { ip: string; host_name: string; last_linked_at: string }
}

describe('game servers', () => {
  it('can be created, listed, changed and deleted; only the creation returns the token', async () => {
    const { body: created } = await store.post<GameServerBody>('/gameservers', { name: 'Survival', enabled: true })
    expect(created).toMatchObject({ store_id: store.id, name: 'Survival', enabled: true, linked_to: null })
    expect(created.token).toMatch(/^skgs_[A-Za-z0-9_]{20,95}$/)
    const path = `/gameservers/${created.id}`
    expect((await store.get<GameServerBody>(path)).body).toEqual({ ...created, token: null })
    const changed = await store.patch<GameServerBody>(path, { name: 'Creative' })
    expect(changed.body).toMatchObject({ id: created.id, name: 'Creative', enabled: true, token: null })
    expect((await store.get<GameServerBody[]>('/gameservers')).body).toContainEqual(changed.body)
    expect((await store.delete(path)).status).toBe(204)
    expectFault(await store.get(path), 'not-found')
    expectFault(await store.get(`/gameservers/${unknownId}`), 'not-found')
    const server = connectGameServer(store, { id: created.id, token: created.token ?? '' })
    expectFault(await server.call('GET', '/command-queue'), 'unauthorized')
  })

  it('are rejected while disabled, and with an unknown or replaced token', async () => {
    const server = await delivery.gameServer()
    expect(await server.pollAll()).toEqual([])
    await store.patch(`/gameservers/${server.id}`, { enabled: false })
    expectFault(await server.call('GET', '/command-queue'), 'forbidden')
    await store.patch(`/gameservers/${server.id}`, { enabled: true })
    expect(await server.pollAll()).toEqual([])

    const reset = await store.post<GameServerBody>(`/gameservers/${server.id}/reset-token`)
    expect(reset.body).toMatchObject({ id: server.id, token_reset_at: expect.any(String) })
    expectFault(await server.call('GET', '/command-queue'), 'unauthorized')
    const renewed = connectGameServer(store, { id: server.id, token: reset.body.token ?? '' })
    expect(await renewed.pollAll()).toEqual([])
    const unknown = connectGameServer(store, { id: server.id, token: `${server.token}x` })
    expectFault(await unknown.call('GET', '/command-queue'), 'unauthorized')
  })

  it('show what their plugin has linked, and tell it if another server used the token', async () => {
    const server = await delivery.gameServer({ name: 'Linked' })
    const link = async (fields: object) => {
      const { body, status, text } = await server.call<LinkBody>('POST', '/gameserver/link', {
        json: { ...linkInput, ...fields },
      })
      expect(status, text).toBe(200)
      return body
    }
    const first = await link({})
    expect(first).toEqual({
      update_available: false,
      gameserver: { id: server.id, name: 'Linked', enabled: true },
      store_id: store.id,
      store_platform: expect.any(String),
    })
    expect(await link({ version: '1.2.4' })).toEqual(first)
    const moved = await link({ ip: '203.0.113.8' })
    expect(moved.previously_linked).toEqual({
      ip: '203.0.113.7',
      host_name: 'survival',
      last_linked_at: expect.any(String),
    })
    const read = () => store.get<GameServerBody>(`/gameservers/${server.id}`)
    expect((await read()).body.linked_to).toMatchObject({ ...linkInput, ip: '203.0.113.8' })
    await server.pollAll()
    await expect
      .poll(async () => (await read()).body.linked_to?.last_fetched_commands_at)
      .toEqual(expect.stringMatching(/^\d{4}-/))
    // A plugin that knows nothing about itself.
    expect((await link({ ip: '', hostname: '', platform: '', version: '' })).gameserver.id).toBe(server.id)
  })

  it('lose their pending commands when they are deleted', async () => {
    const server = await delivery.gameServer()
    const product = await shop.product({
      gameservers: [server.id],
      commands: [{ stage: 'on_purchase', content: 'give {customer.steam.id}', online_only: false }],
    })
    const customer = await shop.customer({ steam_id: fresh.steamId() })
    const order = await delivery.buy({
      customer_id: customer.id,
      lines: [{ product_id: product.id, quantity: 1 }],
    })
    await delivery.settledItems(order.id, ([item]) => item?.command_attempts.length === 1)
    await store.delete(`/gameservers/${server.id}`)
    const [item] = await delivery.items(`/orders/${order.id}`)
    expect(item?.command_attempts).toMatchObject([{ state: 'unqueued', unqueued_at: expect.any(String) }])
  })
})
