import { expectFault, fresh, openDelivery, type ProductBody, useSharedSystem } from '@storekeep/test/kit'
import { describe, expect, it } from 'vitest'

const { createStore, shopper } = await useSharedSystem()

const delivery = await openDelivery(await createStore({ game: 'rust' }), shopper)
const { store, shop, gameServer, buy, settledItems } = delivery

const command = (content: string, fields: object = {}) => ({
  ...{ stage: 'on_purchase', content, online_only: false },
  ...fields,
})

describe('what a product delivers', () => {
  it('is stored and returned', async () => {
    const server = await gameServer()
    const required = await shop.product()
    const terms = {
      gameservers: [server.id],
      single_game_server_only: true,
      commands: [
        command('give {customer.steam.id} {"text":"x"}', { delay_seconds: 5, required_slots: 2 }),
        command('say bye', { stage: 'on_expire', online_only: true, override_execute_on_gameserver_ids: [server.id] }),
      ],
      remove_after_enabled: true,
      remove_after_time_value: 2,
      remove_after_time_scale: 'week',
      store_stock_limit: { enabled: true, quantity: 10, time_value: 1, time_scale: 'day', include_trials: false },
      customer_stock_limit: { enabled: true, quantity: 2, time_value: null, time_scale: null, include_trials: false },
      stock_limit_do_not_include_removed: true,
      required_product_ids: [required.id],
      required_product_all: true,
      allow_concurrent_active_items: true,
    }
    const product = await shop.product(terms)
    const read = await store.get<ProductBody>(`/products/${product.id}`)
    expect(read.body).toMatchObject({ ...terms, stock_available: { store_available: 10 } })
  })

  it.each([
    ['{customer.steem.id}', 'customer.steam.id'],
    ['{item.expires}', 'item.expires_at'],
  ])('is rejected with the unknown placeholder %s, with the nearest name as a hint', async (content, hint) => {
    const input = { name: fresh.name(), price: 100, commands: [command('say hi'), command(`say ${content}`)] }
    const response = await store.post('/products', input)
    expectFault(response, 'validation-failed', ['commands.1.content'])
    expect(response.text).toContain(hint)
  })

  it('reaches only the server that the buyer chose', async () => {
    const [chosen, other] = [await gameServer(), await gameServer()]
    const product = await shop.product({
      gameservers: [chosen.id, other.id],
      single_game_server_only: true,
      commands: [command('give {gameserver.id}')],
    })
    const buyer = await shop.customer({ steam_id: fresh.steamId() })
    const lines = [{ product_id: product.id, quantity: 1, selected_gameserver_id: chosen.id }]
    const order = await buy({ customer_id: buyer.id, lines })
    const [item] = await settledItems(order.id, (found) => found.length === 1)
    expect(item).toMatchObject({
      execute_on_gameserver_id: chosen.id,
      command_attempts: [{ gameserver_id: chosen.id, command: `give ${chosen.id}` }],
    })
  })

  it('reaches every enabled server of the store without a list of servers', async () => {
    const own = await openDelivery(await createStore({ game: 'rust' }), shopper)
    const servers = [await own.gameServer(), await own.gameServer()]
    const product = await own.shop.product({ commands: [command('give {customer.id}')] })
    const buyer = await own.shop.customer()
    await own.buy({ customer_id: buyer.id, lines: [{ product_id: product.id, quantity: 1 }] })
    for (const server of servers) expect(await server.receive(1)).toMatchObject([{ command: `give ${buyer.id}` }])
  })

  it('is followed by the global commands of the store', async () => {
    const own = await openDelivery(await createStore({ game: 'rust' }), shopper)
    const server = await own.gameServer()
    const make = (content: string, execution_rule: string) =>
      own.store.post<{ id: string }>('/global-commands', { ...command(content), execution_rule })
    const [each, once] = [
      await make('announce {product.name} {line.quantity}', 'once_per_item'),
      await make('thank {order.number}', 'once_per_order'),
    ]
    expect([each.status, once.status], each.text + once.text).toEqual([200, 200])
    const product = await own.shop.product({ commands: [command('give {item.id}')] })
    const buyer = await own.shop.customer()
    const order = await own.buy({ customer_id: buyer.id, lines: [{ product_id: product.id, quantity: 2 }] })
    const received = (await server.receive(5)).map((one) => one.command)
    const items = await own.items(`/orders/${order.id}`)
    const announced = `announce ${product.name} 2`
    expect(received.toSorted()).toEqual(
      [...items.map(({ id }) => `give ${id}`), announced, announced, 'thank 1'].toSorted(),
    )
    expect(received.indexOf('thank 1')).toBeGreaterThan(0)
    const changed = await own.store.patch(`/global-commands/${each.body.id}`, { content: 'changed' })
    expect(changed.body).toMatchObject({ id: each.body.id, content: 'changed', execution_rule: 'once_per_item' })
    expect((await own.store.delete(`/global-commands/${once.body.id}`)).status).toBe(204)
    expect((await own.store.get('/global-commands')).body).toEqual([changed.body])
  })

  it('renders the values of the purchase, and leaves everything else as it is', async () => {
    const server = await gameServer({ name: 'Main' })
    const variable = await shop.variable({ type: 'text', value_regex: '^[a-z ]+$' })
    const product = await shop.product({
      ...{ name: 'VIP rank', slug: fresh.code(), price: 1250, gameservers: [server.id] },
      custom_variable_ids: [variable.id],
      commands: [
        command(
          'run {customer.id} {product.id} {product.name} {order.id} {order.number} {line.quantity} {currency} ' +
            `{gameserver.name} {variables.${variable.identifier}} {customer.minecraft.uuid|none} {{item.id} {a:{b:1}} %x%`,
        ),
      ],
    })
    const buyer = await shop.customer({ steam_id: fresh.steamId() })
    const custom_variables = { [variable.identifier]: 'deep blue' }
    const order = await buy({
      customer_id: buyer.id,
      lines: [{ product_id: product.id, quantity: 1, custom_variables }],
    })
    const { body } = await store.get<{ number: number }>(`/orders/${order.id}`)
    const [received] = await server.receive(1)
    expect(received?.command.replace(/eur/i, 'EUR')).toBe(
      `run ${buyer.id} ${product.id} VIP rank ${order.id} ${body.number} 1 EUR Main deep blue none {item.id} {a:{b:1}} %x%`,
    )
  })
})
