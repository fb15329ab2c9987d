import {
  type CustomerBody,
  type DeliveryItemBody,
  expectFault,
  fresh,
  openDelivery,
  unknownId,
  useSharedSystem,
  waitFor,
} from '@storekeep/test/kit'
import { describe, expect, inject, it } from 'vitest'

const { createStore, openGateway, shopper } = await useSharedSystem()
const { pagesUrl = '' } = inject('system')

const stages = ['on_purchase', 'on_renew', 'on_expire', 'on_refund', 'on_chargeback']

/** A store with a server, a product with a command for each stage, and a customer. */
async function open(product: object = {}) {
  const delivery = await openDelivery(await createStore({ game: 'rust' }), shopper)
  const server = await delivery.gameServer()
  const commands = stages.map((stage) => ({ stage, content: `${stage} {item.id}`, online_only: false }))
  const sold = await delivery.shop.product({ gameservers: [server.id], commands, ...product })
  const buyer = await delivery.shop.customer({ steam_id: fresh.steamId() })
  const line = { product_id: sold.id, quantity: 1 }
  return {
    ...delivery,
    server,
    product: sold,
    buyer,
    line,
    buyLine: (fields: object = {}) => delivery.buy({ customer_id: buyer.id, lines: [{ ...line, ...fields }] }),
    /** Polls until the server has received the commands, in any order, and acknowledges them. */
    async run(...expected: string[]) {
      const received = await server.receive(expected.length)
      expect(received.map(({ command }) => command).toSorted()).toEqual(expected.toSorted())
      await server.acknowledge(received)
    },
  }
}

const statesOf = (item: DeliveryItemBody | undefined) =>
  item?.command_attempts.map(({ command_stage, state }) => `${command_stage} ${state}`)

describe.concurrent('the items of an order', () => {
  it('are one per unit, usable until their first command was executed, and then active', async () => {
    const { store, server, product, buyer, buy, line, settledItems, items } = await open()
    const customer_id = buyer.id
    const order = await buy({ customer_id, lines: [{ ...line, quantity: 2 }, line] })
    const bought = await settledItems(order.id, (found) => found.length === 3)
    expect(bought.map(({ order_line, quantity_index }) => [order_line, quantity_index]).toSorted()).toEqual([
      [1, 0],
      [1, 1],
      [2, 0],
    ])
    for (const item of bought) {
      expect(item).toMatchObject({
        ...{ customer_id, order_customer_id: customer_id, order_id: order.id, checkout_id: order.checkout_id },
        ...{ state: 'usable', active_at: null, expirable: false, added_by: null, gift: false, skip_commands: false },
        product: { id: product.id, name: product.name },
        command_attempts: [
          { gameserver_id: server.id, inventory_item_id: item.id, command: `on_purchase ${item.id}`, state: 'pending' },
        ],
      })
    }
    const received = await server.receive(3)
    await server.acknowledge(received.slice(0, 1))
    const states = (await items(`/orders/${order.id}`)).map(({ state }) => state)
    expect(states.toSorted()).toEqual(['active', 'usable', 'usable'])
    const ids = bought.map(({ id }) => id).toSorted()
    for (const path of [`/customers/${customer_id}`, `/gameservers/${server.id}`, '']) {
      expect((await items(path)).map(({ id }) => id).toSorted()).toEqual(ids)
    }
    const { body: attempts } = await store.get<object[]>(`/customers/${customer_id}/delivery/commands`)
    expect(attempts).toHaveLength(3)
    expectFault(await store.get(`/gameservers/${unknownId}/delivery/items`), 'not-found')
  })

  it('are active immediately without commands', async () => {
    const { buyLine, settledItems } = await open({ commands: [] })
    const order = await buyLine()
    const [item] = await settledItems(order.id, (found) => found.length === 1)
    expect(item).toMatchObject({ state: 'active', command_attempts: [] })
  })

  it('keep the version of the product that was bought', async () => {
    const { store, product, run, buyLine, settledItems } = await open()
    const first = await buyLine()
    const [item] = await settledItems(first.id, (found) => found.length === 1)
    const commands = [
      { stage: 'on_purchase', content: 'new {item.id}', online_only: false },
      { stage: 'on_refund', content: 'new refund {item.id}', online_only: false },
    ]
    await store.patch(`/products/${product.id}`, { commands })
    await run(`on_purchase ${item?.id}`)
    await store.post(`/orders/${first.id}/refunds`, {})
    await run(`on_refund ${item?.id}`)
    const second = await buyLine()
    const [other] = await settledItems(second.id, (found) => found.length === 1)
    expect(other?.product.version_id).not.toBe(item?.product.version_id)
    await run(`new ${other?.id}`)
  })

  it('of a gift belong to its recipient', async () => {
    const { shop, buyLine, server, buyer, settledItems } = await open({
      commands: [
        { stage: 'on_purchase', content: 'say {buyer.steam.id} gave {customer.steam.id}', online_only: false },
      ],
    })
    const recipient = await shop.customer({ steam_id: fresh.steamId() })
    const order = await buyLine({ gift_to_customer_id: recipient.id })
    const [item] = await settledItems(order.id, (found) => found.length === 1)
    expect(item).toMatchObject({ customer_id: recipient.id, order_customer_id: buyer.id, gift: true })
    const [command] = await server.receive(1)
    expect(command?.command).toBe(`say ${buyer.steam_id} gave ${recipient.steam_id}`)
  })

  it('that miss a value are blocked, shown, and released when the identity is added', async () => {
    const { store, shop, server, line, buy, settledItems, items } = await open({
      commands: [
        { stage: 'on_purchase', content: 'lp user {customer.minecraft.uuid} parent add vip', online_only: false },
        { stage: 'on_purchase', content: 'say {customer.xbox.xuid|none}', online_only: false },
      ],
    })
    const customer = await shop.customer({ steam_id: fresh.steamId() })
    const order = await buy({ customer_id: customer.id, lines: [line] })
    const [item] = await settledItems(order.id, ([one]) => one?.command_attempts.length === 2)
    expect(item?.command_attempts).toMatchObject([
      { state: 'blocked', missing_placeholders: ['customer.minecraft.uuid'] },
      { state: 'pending', command: 'say none', missing_placeholders: [] },
    ])
    const minecraft_uuid = fresh.uuid()
    const changed = await store.patch<CustomerBody>(`/customers/${customer.id}`, { minecraft_uuid })
    expect(changed.status, changed.text).toBe(200)
    await waitFor('the command to be released', async () => {
      const [read] = await items(`/orders/${order.id}`)
      return read?.command_attempts.every(({ state }) => state === 'pending')
    })
    const received = await server.receive(2)
    expect(received.map(({ command }) => command).toSorted()).toEqual([
      `lp user ${minecraft_uuid} parent add vip`,
      'say none',
    ])
  })

  it('that miss a value can be released with a value from staff, once', async () => {
    const content = 'lp user {customer.minecraft.uuid} parent add vip'
    const { store, shop, server, line, buy, settledItems } = await open({
      commands: [{ stage: 'on_purchase', content, online_only: false }],
    })
    const customer = await shop.customer({ steam_id: fresh.steamId() })
    const order = await buy({ customer_id: customer.id, lines: [line] })
    const [item] = await settledItems(order.id, ([one]) => one?.command_attempts.length === 1)
    const path = `/delivery/commands/${item?.command_attempts[0]?.id}/release`
    const invalid = await store.post(path, { values: { 'customer.minecraft.uuid': 'Robin; op' } })
    expect([invalid.status, invalid.text]).toEqual([400, expect.stringContaining('values.customer.minecraft.uuid')])
    const uuid = fresh.uuid()
    const released = await store.post(path, { values: { 'customer.minecraft.uuid': uuid } })
    expect(released.status, released.text).toBe(200)
    expect(released.body).toMatchObject({ state: 'pending', command: `lp user ${uuid} parent add vip` })
    expect((await store.post(path, { values: { 'customer.minecraft.uuid': uuid } })).status).toBe(409)
    const [received] = await server.receive(1)
    expect(received?.command).toBe(`lp user ${uuid} parent add vip`)
  })
})

describe.concurrent('money that is returned', () => {
  it('a partial refund revokes the units that it names: commands not executed yet are unqueued', async () => {
    const { server, refund, run, buyLine, settledItems } = await open()
    const order = await buyLine({ quantity: 3 })
    await settledItems(order.id, (found) => found.length === 3)
    await server.acknowledge((await server.receive(3)).slice(0, 3))
    const later = await buyLine({ quantity: 2 })
    await settledItems(later.id, (found) => found.length === 2)
    await refund(order.id, { lines: [{ position: 1, quantity: 1 }] })
    await refund(later.id)
    const isRevoked = ({ state }: DeliveryItemBody) => state === 'revoked'
    const one = await settledItems(order.id, (found) => found.filter(isRevoked).length === 1)
    const all = await settledItems(later.id, (found) => found.every(isRevoked))
    expect(one.filter(isRevoked).map(statesOf)).toEqual([['on_purchase executed', 'on_refund pending']])
    expect(one.filter((item) => !isRevoked(item)).map(({ state }) => state)).toEqual(['active', 'active'])
    for (const item of all) {
      expect(item).toMatchObject({ revoke_reason: 'refund', revoked_at: expect.any(String) })
      expect(statesOf(item)).toEqual(['on_purchase unqueued', 'on_refund pending'])
    }
    await run(...[...one.filter(isRevoked), ...all].map(({ id }) => `on_refund ${id}`))
  })

  it('a refund of an amount that names no lines keeps the items', async () => {
    const { store, run, refund, buyLine, settledItems, items } = await open()
    const order = await buyLine()
    const [item] = await settledItems(order.id, (found) => found.length === 1)
    await refund(order.id, { amount: 1 })
    await run(`on_purchase ${item?.id}`)
    const { body } = await store.get<{ refunded_amount: number }>(`/orders/${order.id}`)
    expect(body.refunded_amount).toBe(1)
    expect((await items(`/orders/${order.id}`))[0]).toMatchObject({ state: 'active', revoked_at: null })
  })

  it('a chargeback revokes all items and runs its own commands', async () => {
    const { chargeBack, run, buyLine, settledItems } = await open()
    const order = await buyLine()
    const [item] = await settledItems(order.id, (found) => found.length === 1)
    await run(`on_purchase ${item?.id}`)
    await chargeBack(order)
    await run(`on_chargeback ${item?.id}`)
    const [after] = await settledItems(order.id, ([one]) => one?.state === 'revoked')
    expect(after).toMatchObject({ revoke_reason: 'chargeback' })
    // The evidence in a dispute: what was executed when, and from which address.
    expect(after?.command_attempts[0]).toMatchObject({
      executed_at: expect.any(String),
      executed_by_ip: expect.stringMatching(/127\.0\.0\.1/),
    })
  })
})

describe('items of a subscription', () => {
  it('are renewed by each paid period, and expire when the subscription ends', async () => {
    const subscription = {
      allow_subscription: true,
      subscription_interval_value: 1,
      subscription_interval_scale: 'month',
    }
    const { store, buyer, run, buyLine, settledItems, items } = await open({
      ...subscription,
      remove_after_enabled: true,
      remove_after_time_value: 1,
      remove_after_time_scale: 'month',
    })
    const order = await buyLine({ subscription: true })
    const [first] = await settledItems(order.id, (found) => found.length === 1)
    const subscriptionId = order.subscription_id ?? ''
    expect(first).toMatchObject({ subscription_id: subscriptionId, expirable: true })
    await run(`on_purchase ${first?.id}`)
    const history = [first]
    for (let period = 2; period <= 3; period += 1) {
      await renew(store, buyer.id, subscriptionId)
      const found = await waitFor('the renewed item', async () => {
        const all = await items(`/customers/${buyer.id}`)
        return all.length === period && all
      })
      const current = found.find((item) => !history.some((one) => one?.id === item.id))
      history.push(current)
      await run(`on_renew ${current?.id}`)
      for (const one of history.slice(0, -1)) {
        expect(found.find(({ id }) => id === one?.id)).toMatchObject({
          state: 'renewed',
          removed_at: expect.any(String),
        })
      }
    }
    const active = await store.get<DeliveryItemBody[]>(`/customers/${buyer.id}/delivery/items?activeOnly=true`)
    expect(active.body.map(({ id, state }) => [id, state])).toEqual([[history.at(-1)?.id, 'active']])
  })

  /** Renews a subscription of the test provider on the customer portal. */
  async function renew(store: Awaited<ReturnType<typeof open>>['store'], customerId: string, subscriptionId: string) {
    const { body } = await store.post<{ token: string }>(`/customers/${customerId}/portal-sessions`, {
      return_url: 'https://shop.example/me',
    })
    const entered = await fetch(`${pagesUrl}/portal/?t=${body.token}`, { redirect: 'manual' })
    const cookie = entered.headers.getSetCookie()[0]?.split(';')[0] ?? ''
    const { body: subscription } = await store.get<{ current_period_end: string }>(`/subscriptions/${subscriptionId}`)
    const response = await fetch(`${pagesUrl}/portal/subscriptions/${subscriptionId}/test-renewal`, {
      method: 'POST',
      redirect: 'manual',
      headers: { cookie, origin: new URL(pagesUrl).origin },
      body: new URLSearchParams({
        period_end: String(Date.parse(subscription.current_period_end)),
        decision: 'approve',
      }),
    })
    expect([response.status, response.headers.get('location')]).toEqual([
      303,
      expect.not.stringContaining('test-rejected'),
    ])
  }
})

describe.concurrent('staff', () => {
  it('can hand out items without an order, all or none', async () => {
    const { store, server, product, buyer, shop, run, items } = await open()
    const path = `/customers/${buyer.id}/delivery/items`
    const granted = await store.post<DeliveryItemBody[]>(path, { product_id: product.id, quantity: 2 })
    expect(granted.status, granted.text).toBe(200)
    expect(granted.body).toMatchObject(
      Array(2).fill({ customer_id: buyer.id, order_id: null, state: 'usable', added_by: { type: 'api_key' } }),
    )
    await run(...granted.body.map(({ id }) => `on_purchase ${id}`))
    const silent = await store.post<DeliveryItemBody[]>(path, {
      ...{ product_version_id: granted.body[0]?.product.version_id, quantity: 1, skip_commands: true },
    })
    expect(silent.body).toMatchObject([{ state: 'active', skip_commands: true, command_attempts: [] }])
    const other = await shop.customer()
    const grant = (fields: object) => ({ customer_id: other.id, product_id: product.id, quantity: 1, ...fields })
    const rejected = await store.post('/delivery/items', [grant({}), grant({ customer_id: unknownId })])
    expect(rejected.status).toBe(400)
    expect(await items(`/customers/${other.id}`)).toEqual([])
    const bulk = await store.post<DeliveryItemBody[]>('/delivery/items', [
      grant({ execute_on_gameserver_id: server.id }),
      grant({ customer_id: buyer.id }),
    ])
    expect(bulk.status, bulk.text).toBe(200)
    await run(...bulk.body.map(({ id }) => `on_purchase ${id}`))
  })

  it('can revoke an item: its expiry commands run', async () => {
    const { store, buyer, run, shop, buyLine, settledItems } = await open()
    const order = await buyLine()
    const [item] = await settledItems(order.id, (found) => found.length === 1)
    const other = await shop.customer()
    expectFault(await store.delete(`/customers/${other.id}/delivery/items/${item?.id}`), 'not-found')
    expect((await store.delete(`/customers/${buyer.id}/delivery/items/${item?.id}`)).status).toBe(204)
    const [after] = await settledItems(order.id, ([one]) => one?.state === 'revoked')
    expect(after).toMatchObject({ revoke_reason: 'manual', revoked_by: { type: 'api_key' } })
    expect(statesOf(after)).toEqual(['on_purchase unqueued', 'on_expire pending'])
    await run(`on_expire ${item?.id}`)
  })

  it('can set when an item expires: it is used, and its expiry commands run', async () => {
    const { store, buyer, product, server } = await open()
    const override_expires_at = new Date(Date.now() + 1000).toISOString()
    const granted = await store.post<DeliveryItemBody[]>(`/customers/${buyer.id}/delivery/items`, {
      ...{ product_id: product.id, quantity: 1, override_expires_at },
    })
    const [item] = granted.body
    expect(item, granted.text).toMatchObject({ expirable: true, override_expires_at })
    await waitFor('the item to expire', async () => {
      await server.acknowledge(await server.poll())
      const { body } = await store.get<DeliveryItemBody[]>(`/customers/${buyer.id}/delivery/items`)
      return body[0]?.state === 'used' && body[0].command_attempts.at(-1)?.state === 'executed'
    })
    const { body } = await store.get<DeliveryItemBody[]>(`/customers/${buyer.id}/delivery/items`)
    expect(body[0]?.command_attempts.at(-1)).toMatchObject({ command: `on_expire ${item?.id}` })
    expect(body[0]?.removed_at).toEqual(expect.any(String))
  })

  it('can unqueue commands, and send executed ones again', async () => {
    const { store, server, run, buyLine, settledItems } = await open()
    const [first, second] = [await buyLine(), await buyLine()]
    const [executed] = await settledItems(first.id, (found) => found.length === 1)
    const [unqueued] = await settledItems(second.id, (found) => found.length === 1)
    const attempt_ids = unqueued?.command_attempts.map(({ id }) => id) ?? []
    const unqueue = () => store.post('/delivery/commands/unqueue', { attempt_ids: [...attempt_ids, unknownId] })
    expect((await unqueue()).body).toEqual({ unqueued_count: 1 })
    expect((await unqueue()).body).toEqual({ unqueued_count: 0 })
    await run(`on_purchase ${executed?.id}`)
    const resend = (filter: object) => store.post(`/gameservers/${server.id}/delivery/commands/resend`, filter)
    // Without a filter that names items, only what was executed.
    expect((await resend({})).body).toEqual({ enqueued_commands_count: 1 })
    const [after] = await settledItems(first.id, ([one]) => one?.command_attempts.length === 2)
    expect(after?.command_attempts[1]).toMatchObject({ rerun: true, state: 'pending' })
    await run(`on_purchase ${executed?.id}`)
    expect((await resend({ order_id: second.id })).body).toEqual({ enqueued_commands_count: 1 })
    await run(`on_purchase ${unqueued?.id}`)
  })

  it('find the same operations under the older paths', async () => {
    const { store: documented, buyer, buyLine, settledItems } = await open()
    const store = documented.through(openGateway(0, { checked: false }))
    const order = await buyLine()
    await settledItems(order.id, (found) => found.length === 1)
    for (const path of [`/customers/${buyer.id}`, `/orders/${order.id}`, '']) {
      const [older, newer] = [
        await store.get(`${path}/command-delivery/items`),
        await store.get(`${path}/delivery/items`),
      ]
      expect([older.status, older.body]).toEqual([200, newer.body])
    }
  })
})

describe('shoppers', () => {
  it('see their own items, without what only staff may know', async () => {
    const { store, buyer, buyLine, settledItems } = await open()
    const order = await buyLine()
    const [item] = await settledItems(order.id, (found) => found.length === 1)
    const { body } = await store.post<{ token: string }>(`/customers/${buyer.id}/tokens`)
    const own = await store.shop<DeliveryItemBody[]>('GET', '/store/customer/delivery/items', { token: body.token })
    expect(own.body.map(({ id, state }) => [id, state])).toEqual([[item?.id, 'usable']])
    expect(own.text).not.toContain('on_refund')
  })
})
