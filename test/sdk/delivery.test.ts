import { connectGameServer, fresh, useSharedSystem, waitFor } from '@storekeep/test/kit'
import { expect, inject, it } from 'vitest'
import { Storekeep } from '../../gateway/sdk/src/index.ts'

const { createStore, shopper } = await useSharedSystem()
const baseUrl = inject('system').gatewayUrls[0] ?? ''

it('connects game servers, sells, hands out and takes back goods, and shows what was executed', async () => {
  const store = await createStore({ game: 'rust' })
  const storekeep = new Storekeep({ baseUrl, storeId: store.id, apiKey: store.apiKey })
  const { delivery, gameServers } = storekeep
  await store.patch('/payment-settings', { enabled_providers: ['test'] })

  const created = await gameServers.create({ name: 'Survival', enabled: true })
  const { token } = await gameServers.resetToken(created.id)
  expect(await gameServers.update(created.id, { name: 'Main' })).toMatchObject({ name: 'Main', token: null })
  expect(await gameServers.get(created.id)).toMatchObject({ name: 'Main', linked_to: null })
  const server = connectGameServer(store, { id: created.id, token: token ?? '' })

  const command = { content: 'announce {product.name}', online_only: false, execution_rule: 'once_per_item' } as const
  const announcement = await delivery.createGlobalCommand({ ...command, stage: 'on_purchase' })
  await delivery.updateGlobalCommand(announcement.id, { content: 'announce {item.id}' })
  expect(await delivery.listGlobalCommands().toArray({ limit: 10 })).toMatchObject([{ content: 'announce {item.id}' }])

  const product = await storekeep.products.create({
    ...{ name: 'VIP rank', price: 1000, gameservers: [server.id] },
    commands: [
      { stage: 'on_purchase', content: 'give {item.id}', online_only: false },
      { stage: 'on_expire', content: 'take {item.id}', online_only: false },
    ],
  })
  const customer = await storekeep.customers.create({ steam_id: fresh.steamId() })
  const session = await storekeep.checkouts.create({
    customer_id: customer.id,
    lines: [{ product_id: product.id, quantity: 1 }],
  })
  await shopper.pay(store.id, session.url)
  const [item] = await waitFor('the item', async () => {
    const items = await delivery.listCustomerItems(customer.id).toArray({ limit: 10 })
    return items.length === 1 && items
  })
  const itemId = item?.id ?? ''
  const received = await server.receive(2)
  expect(received.map((one) => one.command)).toEqual([`give ${itemId}`, `announce ${itemId}`])
  await server.acknowledge(received)
  const byServer = await delivery.listGameServerItems(server.id).toArray({ limit: 10 })
  expect(byServer).toMatchObject([{ id: itemId, state: 'active' }])
  expect(await delivery.listOrderItems(item?.order_id ?? '').toArray({ limit: 10 })).toEqual(byServer)

  expect(await delivery.resendCommands(server.id, { customer_id: customer.id })).toEqual({ enqueued_commands_count: 2 })
  const attempts = await delivery.listCustomerCommands(customer.id).toArray({ limit: 10 })
  const pending = attempts.filter(({ state }) => state === 'pending').map(({ id }) => id)
  expect(await delivery.unqueueCommands({ attempt_ids: pending })).toEqual({ unqueued_count: 2 })
  await expect(delivery.releaseCommand(pending[0] ?? '', { values: {} })).rejects.toMatchObject({ status: 409 })
  await delivery.revokeItem(customer.id, itemId)
  await server.acknowledge(await server.receive(1))

  await delivery.deleteGlobalCommand(announcement.id)
  const grant = { product_id: product.id, quantity: 1, skip_commands: true }
  const [granted] = await delivery.createCustomerItems(customer.id, grant)
  const [bulk] = await delivery.bulkCreateItems([{ ...grant, customer_id: customer.id }])
  const all = await delivery.listItems().toArray({ limit: 10 })
  expect(new Map(all.map(({ id, state }) => [id, state]))).toEqual(
    new Map([
      [itemId, 'revoked'],
      [granted?.id, 'active'],
      [bulk?.id, 'active'],
    ]),
  )
  await gameServers.delete(server.id)
  expect(await gameServers.list().toArray({ limit: 10 })).toEqual([])
})
