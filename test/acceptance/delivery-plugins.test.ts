import { fresh, type GameName, openDelivery, useSharedSystem, waitFor } from '@storekeep/test/kit'
import {
  createFivemScript,
  createGmodAddon,
  createJavaLibrary,
  createJournal,
  createRustPlugin,
  createSender,
  type OnlinePlayer,
  type PluginOptions,
} from '@storekeep/test/kit/plugins'
import { describe, expect, inject, it } from 'vitest'

const { createStore, shopper } = await useSharedSystem()
const [baseUrl = ''] = inject('system').gatewayUrls

const kinds = [
  { name: 'Java library', create: createJavaLibrary, game: 'minecraft', content: 'give {customer.minecraft.uuid}' },
  {
    name: 'FiveM script',
    create: createFivemScript,
    game: 'rust',
    content: 'giveitem {player.source_from:{customer.steam.id}} bread',
  },
  { name: 'Rust plugin', create: createRustPlugin, game: 'rust', content: 'inventory.giveto {customer.steam.id}' },
  { name: 'GMod addon', create: createGmodAddon, game: 'rust', content: 'ulx adduserid {customer.steam.id} vip' },
] as const satisfies readonly { game: GameName; [other: string]: unknown }[]

describe.concurrent.each(kinds)("the vendor's $name, given our address", ({ create, game, content }) => {
  it.each([false, true])('executes a purchase exactly once (online_only: %s)', async (online_only) => {
    const { delivery, server, buyer, player } = await openServer(game)
    const journal = createJournal()
    const { send, polls, holdAcknowledgements } = observe()
    const online: OnlinePlayer[] = []
    const plugin = create({ baseUrl, token: server.token, players: () => online, journal, send })
    const commands = [
      { stage: 'on_purchase', content, online_only },
      { stage: 'on_purchase', content: 'say thanks {item.id}', online_only },
    ]
    const product = await delivery.shop.product({ gameservers: [server.id], commands })
    await plugin.link()
    await plugin.poll()
    const order = await delivery.buy({ customer_id: buyer.id, lines: [{ product_id: product.id, quantity: 2 }] })
    await delivery.settledItems(order.id, (items) => items.flatMap((one) => one.command_attempts).length === 4)
    if (online_only) {
      await plugin.poll()
      expect(journal.executions()).toEqual([])
      expect(await stateOf(order.id)).toEqual(['usable', 'usable'])
    }
    online.push(player)
    // A slow acknowledgement: the plugin polls several times meanwhile.
    const release = holdAcknowledgements()
    const polling = [plugin.poll()]
    const before = polls()
    for (let extra = 0; extra < 3; extra += 1) polling.push(plugin.poll())
    await waitFor('the polls', () => polls() >= before + 3)
    release()
    await Promise.all(polling)
    await waitFor('all items to be active', async () => {
      await plugin.poll()
      return (await stateOf(order.id)).every((state) => state === 'active')
    })
    const executed = journal.executions().map(({ command }) => command)
    const [items, filled] = [await delivery.items(`/orders/${order.id}`), fill(content, player)]
    expect(executed.toSorted()).toEqual([filled, filled, ...items.map(({ id }) => `say thanks ${id}`)].toSorted())
    expect(plugin.failures).toEqual([])
    await plugin.stop()

    async function stateOf(orderId: string) {
      return (await delivery.items(`/orders/${orderId}`)).map(({ state }) => state)
    }
  })

  it('gives up when its token was replaced', async () => {
    const { delivery, server } = await openServer(game)
    const plugin = create({ baseUrl, token: server.token })
    await plugin.link()
    await plugin.poll()
    expect([plugin.failures, plugin.rejectedWith()]).toEqual([[], undefined])
    await delivery.store.post(`/gameservers/${server.id}/reset-token`)
    await plugin.poll()
    expect(plugin.rejectedWith()).toBe(401)
  })
})

async function openServer(game: GameName) {
  const delivery = await openDelivery(await createStore({ game }), shopper)
  const server = await delivery.gameServer()
  const player: OnlinePlayer = {
    name: fresh.name(),
    source: 7,
    ...(game === 'rust' ? { steamId: fresh.steamId() } : { minecraftUuid: fresh.uuid() }),
  }
  const buyer = await delivery.shop.customer({ steam_id: player.steamId, minecraft_uuid: player.minecraftUuid })
  return { delivery, server, buyer, player }
}

/** The command as the game gets it. */
function fill(content: string, { steamId = '', minecraftUuid = '' }: OnlinePlayer): string {
  return content
    .replace('{player.source_from:{customer.steam.id}}', '7')
    .replace('{customer.steam.id}', steamId)
    .replace('{customer.minecraft.uuid}', minecraftUuid)
}

/** A connection that counts the polls that were answered, and can hold acknowledgements. */
function observe() {
  const send = createSender(baseUrl)
  let answered = 0
  let released = Promise.resolve()
  return {
    polls: () => answered,
    holdAcknowledgements() {
      const { promise, resolve } = Promise.withResolvers<void>()
      released = promise
      return resolve
    },
    send: (async (request) => {
      const isAcknowledgement = request.method === 'DELETE' || request.path.endsWith('/acknowledge')
      if (isAcknowledgement) await released
      const response = await send(request)
      if (!isAcknowledgement) answered += 1
      return response
    }) satisfies NonNullable<PluginOptions['send']>,
  }
}
