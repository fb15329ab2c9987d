import { expect } from 'vitest'
import type { DeliveryItemBody, GameServerBody, OrderBody } from './bodies.ts'
import type { HttpResponse, RequestInput } from './http-client.ts'
import type { QueuedCommandBody } from './plugins/index.ts'
import { openShop, type Shop } from './shop.ts'
import type { Shopper } from './shopper.ts'
import type { TestStore } from './test-store.ts'
import { waitFor } from './wait-for.ts'

/** Sells goods with the test provider, and connects game servers that receive them. Each call expects success, except `call`. */
export async function openDelivery(store: TestStore, shopper: Shopper): Promise<Delivery> {
  const shop = openShop(store)
  expectStatus(await store.patch('/payment-settings', { enabled_providers: ['test'] }), 200)
  let servers = 0

  async function order(checkoutId: string): Promise<OrderBody> {
    return await waitFor('the order of the session', async () => {
      const { body } = await store.get<OrderBody[]>('/orders')
      return body.find(({ checkout_id }) => checkout_id === checkoutId)
    })
  }

  async function items(path: string): Promise<DeliveryItemBody[]> {
    return expectStatus(await store.get<DeliveryItemBody[]>(`${path}/delivery/items`), 200)
  }

  return {
    store,
    shop,
    async gameServer(fields = {}) {
      servers += 1
      const input = { name: `Server ${servers}`, enabled: true, ...fields }
      const created = expectStatus(await store.post<GameServerBody>('/gameservers', input), 200)
      return connectGameServer(store, { id: created.id, token: created.token ?? '' })
    },
    async buy(input) {
      const { body, text } = await shop.order(input)
      expect(body.url, text).toBeDefined()
      await shopper.pay(store.id, body.url)
      return await order(body.id)
    },
    refund: async (orderId, input = {}) =>
      void expectStatus(await store.post(`/orders/${orderId}/refunds`, input), 200),
    chargeBack: ({ payment }) => shopper.chargeBack(store.id, payment.id),
    items,
    async settledItems(orderId, isSettled) {
      return await waitFor('the items of the order', async () => {
        const found = await items(`/orders/${orderId}`)
        return isSettled(found) && found
      })
    },
  }
}

/** A game server as its plugin sees it: it knows only its token. */
export function connectGameServer(store: TestStore, { id, token }: { id: string; token: string }): TestGameServer {
  function call<Body>(method: string, path: string, input: RequestInput = {}): Promise<HttpResponse<Body>> {
    const headers = { authorization: `Gameserver ${token}`, 'x-service-store-id': undefined, ...input.headers }
    return store.shop(method, `/delivery${path}`, { ...input, headers })
  }

  async function poll(lists: object = {}, headers = {}): Promise<QueuedCommandBody[]> {
    return expectStatus(await call<QueuedCommandBody[]>('POST', '/command-queue', { json: lists, headers }), 200)
  }

  return {
    id,
    token,
    call,
    poll,
    pollAll: async () => expectStatus(await call<QueuedCommandBody[]>('GET', '/command-queue'), 200),
    async receive(count, lists) {
      const received: QueuedCommandBody[] = []
      await waitFor(`${count} commands`, async () => {
        received.push(...(await poll(lists)))
        return received.length >= count
      })
      expect(received.map(({ command }) => command)).toHaveLength(count)
      return received
    },
    async acknowledge(commands) {
      const json = commands.map(({ attempt_id }) => ({ attempt_id }))
      expectStatus(await call('DELETE', '/command-queue', { json }), 204)
    },
  }
}

function expectStatus<Body>({ status, body, text }: HttpResponse<Body>, expected: number): Body {
  expect(status, text).toBe(expected)
  return body
}

export interface Delivery {
  store: TestStore
  shop: Shop
  gameServer(fields?: object): Promise<TestGameServer>
  /** Orders and pays. @returns the order */
  buy(input: object): Promise<OrderBody>
  refund(orderId: string, input?: object): Promise<void>
  chargeBack(order: OrderBody): Promise<void>
  /** The items under a path such as `/customers/<id>`. */
  items(path: string): Promise<DeliveryItemBody[]>
  /** The items of an order, once they meet the condition. */
  settledItems(orderId: string, isSettled: (items: DeliveryItemBody[]) => boolean): Promise<DeliveryItemBody[]>
}

export interface TestGameServer {
  id: string
  token: string
  /** A call with the server's token; the path begins after `/v1/delivery`. */
  call<Body = unknown>(method: string, path: string, input?: RequestInput): Promise<HttpResponse<Body>>
  /** The due commands for players in the lists, and for everybody. */
  poll(lists?: object, headers?: RequestInput['headers']): Promise<QueuedCommandBody[]>
  /** All due commands. */
  pollAll(): Promise<QueuedCommandBody[]>
  /** Polls until it has received exactly so many commands, without acknowledging them. */
  receive(count: number, lists?: object): Promise<QueuedCommandBody[]>
  acknowledge(commands: readonly Pick<QueuedCommandBody, 'attempt_id'>[]): Promise<void>
}
