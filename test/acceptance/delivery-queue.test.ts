import {
  connectGameServer,
  expectFault,
  fresh,
  openDelivery,
  unknownId,
  useSharedSystem,
  waitFor,
} from '@storekeep/test/kit'
import { describe, expect, it } from 'vitest'

const { createStore, openGateway, shopper } = await useSharedSystem()

const rust = await openDelivery(await createStore({ game: 'rust' }), shopper)
const minecraft = await openDelivery(await createStore({ game: 'minecraft' }), shopper)

/** A server with one command per given content for a customer who has paid. */
async function queued(
  contents: readonly (string | object)[],
  { delivery = rust, customer = {} }: { delivery?: typeof rust; customer?: object } = {},
) {
  const { shop, buy, gameServer } = delivery
  const server = await gameServer()
  const commands = contents.map((one) => ({
    stage: 'on_purchase',
    online_only: false,
    ...(typeof one === 'string' ? { content: one } : one),
  }))
  const product = await shop.product({ gameservers: [server.id], commands })
  const buyer = await shop.customer({ steam_id: fresh.steamId(), ...customer })
  const order = await buy({ customer_id: buyer.id, lines: [{ product_id: product.id, quantity: 1 }] })
  const [item] = await delivery.settledItems(order.id, ([one]) => one?.command_attempts.length === contents.length)
  return { server, buyer, order, product, item, attempts: item?.command_attempts ?? [] }
}

describe.concurrent('the command queue', () => {
  it('gives out the commands of a purchase in order, with only the fields that have a value', async () => {
    const { server, buyer, attempts } = await queued(['first {customer.steam.id}', 'second {"text":"x"}'])
    const given = await server.receive(2)
    const common = { online_only: false, queued_at: expect.any(String), steam_id: buyer.steam_id }
    expect(given).toEqual(
      [
        { ...common, attempt_id: attempts[0]?.id, command: `first ${buyer.steam_id}` },
        { ...common, attempt_id: attempts[1]?.id, command: 'second {"text":"x"}' },
      ].map((one) => expect.objectContaining(one)),
    )
    for (const command of given) {
      expect(Object.values(command)).not.toContain(null)
      expect(Object.values(command)).not.toContain('')
    }
  })

  it('writes UUIDs with hyphens', async () => {
    const uuid = fresh.uuid()
    const { server } = await queued(['lp user {customer.minecraft.uuid} parent add vip'], {
      delivery: minecraft,
      customer: { steam_id: undefined, minecraft_uuid: uuid },
    })
    const [command] = await server.receive(1)
    expect(command).toMatchObject({ minecraft_uuid: uuid, command: `lp user ${uuid} parent add vip` })
    expect(command).not.toHaveProperty('steam_id')
  })

  it('gives each command to one of 64 parallel polls', async () => {
    const { server } = await queued(['one', 'two', 'three'])
    const given: string[] = []
    // The process that answers may read the new commands a moment later.
    await waitFor('the commands', async () => {
      const answers = await Promise.all(Array.from({ length: 64 }, () => server.poll()))
      given.push(...answers.flat().map(({ command }) => command))
      return given.length > 0
    })
    expect(given).toEqual(['one', 'two', 'three'])
  })

  it('gives commands that need their player only to a poll that names the player, or to a poll of everything', async () => {
    const online = { content: 'give {customer.steam.id}', online_only: true }
    const { server, buyer } = await queued([online, { ...online, content: 'later', delay_seconds: 86_400 }])
    expect(await server.poll()).toEqual([])
    expect(await server.poll({ steam_ids: [fresh.steamId()], customer_names: [fresh.name()] })).toEqual([])
    expect(await server.receive(1, { steam_ids: [buyer.steam_id] })).toMatchObject([{ online_only: true }])
    const { server: other, buyer: otherBuyer } = await queued([online])
    // A number that JavaScript cannot represent.
    const raw = `{"steam_ids": [${otherBuyer.steam_id}]}`
    await waitFor('the command', async () => {
      const { body } = await other.call<object[]>('POST', '/command-queue', { raw, headers: jsonHeaders })
      return body.length === 1
    })
    const { server: third } = await queued([online])
    await waitFor('the command in a poll of everything', async () => (await third.pollAll()).length === 1)
  })

  it.each(['', '-'])('finds a Minecraft player by UUID with "%s" between its parts', async (separator) => {
    const uuid = fresh.uuid()
    const { server } = await queued([{ content: 'say hi', online_only: true }], {
      delivery: minecraft,
      customer: { steam_id: undefined, minecraft_uuid: uuid },
    })
    await server.receive(1, { minecraft_uuids: [uuid.replaceAll('-', separator).toUpperCase()] })
  })

  it('finds a player of an offline-mode server by name in any case', async () => {
    const delivery = await openDelivery(await createStore({ game: 'minecraft_offline' }), shopper)
    const name = fresh.name()
    const signedIn = { json: { platform: 'minecraft', id: name } }
    await delivery.store.shop('POST', '/store/customer/auth', signedIn)
    const [buyer] = (await delivery.store.get<{ id: string }[]>('/customers')).body
    const server = await delivery.gameServer()
    const commands = [{ stage: 'on_purchase', content: 'give {customer.minecraft.name} bread', online_only: true }]
    const product = await delivery.shop.product({ gameservers: [server.id], commands })
    await delivery.buy({ customer_id: buyer?.id, lines: [{ product_id: product.id, quantity: 1 }] })
    const [command] = await server.receive(1, { customer_names: [name.toUpperCase()] })
    expect(command?.command).toBe(`give ${name} bread`)
  })

  it.each([
    ['DELETE', '/command-queue'],
    ['POST', '/command-queue/acknowledge'],
  ])('%s %s acknowledges commands, whatever else is in the body', async (method, path) => {
    const { server, order } = await queued(['say a', 'say b'])
    const { server: foreign } = await queued(['say c'])
    const [given, [other]] = await Promise.all([server.receive(2), foreign.receive(1)])
    const ids = [...given, other].map((command) => ({ attempt_id: command?.attempt_id }))
    const json = [...ids, ...ids, { attempt_id: unknownId }, { attempt_id: 'garbage' }, { attempt_id: 7 }, {}, null]
    for (let repeats = 0; repeats < 2; repeats += 1)
      expect((await server.call(method, path, { json })).status).toBe(204)
    const [item] = await rust.items(`/orders/${order.id}`)
    expect(item).toMatchObject({ state: 'active', active_at: expect.any(String) })
    expect(item?.command_attempts).toMatchObject(
      Array(2).fill({ state: 'executed', executed_at: expect.any(String), executed_by_ip: expect.any(String) }),
    )
    // The command of the other server is still its own.
    await foreign.acknowledge([{ attempt_id: other?.attempt_id ?? '' }])
    for (const json of ['text', {}, [], 12]) expect((await server.call(method, path, { json })).status).toBe(204)
    expect((await server.call(method, path, { raw: '[{"attempt_id', headers: jsonHeaders })).status).toBe(204)
  })

  it('acknowledges one command by its path', async () => {
    const { server, order } = await queued(['say a'])
    const [command] = await server.receive(1)
    for (const id of [command?.attempt_id, command?.attempt_id, unknownId, 'garbage']) {
      expect((await server.call('DELETE', `/command-queue/${id}`)).status).toBe(204)
    }
    expect((await rust.items(`/orders/${order.id}`))[0]?.state).toBe('active')
  })

  it('holds a poll until a purchase arrives', async () => {
    const { server, product, buyer } = await queued(['say first'])
    await server.acknowledge(await server.receive(1))
    const waiting = server.poll({}, { prefer: 'wait=25' })
    await rust.buy({ customer_id: buyer.id, lines: [{ product_id: product.id, quantity: 1 }] })
    const given = await waiting
    // On a very slow machine the purchase takes longer than the poll.
    expect(given.length === 1 ? given : await server.receive(1)).toMatchObject([{ command: 'say first' }])
  })

  it('is lenient with bytes, slashes and bodies, unlike every other operation', async () => {
    const { server: documented } = await queued([])
    // The description lists no path with a trailing slash.
    const server = connectGameServer(rust.store.through(openGateway(0, { checked: false })), documented)
    const link = (raw: Buffer) => server.call('POST', '/gameserver/link/', { raw, headers: jsonHeaders })
    const input = { ip: '', hostname: '§6Übung', platform: '', version: '' }
    expect((await link(Buffer.from(JSON.stringify(input), 'latin1'))).status).toBe(200)
    const read = await rust.store.get<{ linked_to: object }>(`/gameservers/${server.id}`)
    expect(read.body.linked_to).toMatchObject({ hostname: '§6Übung' })
    for (const [method, path] of [
      ['GET', '/command-queue/'],
      ['POST', '/command-queue/'],
    ] as const) {
      const { body } = await server.call(method, path, { raw: Buffer.from('{"customer_names":["Zoë"]}', 'latin1') })
      expect(body).toEqual([])
    }
    const raw = Buffer.from('{"name":"Zoë"}', 'latin1')
    expectFault(await rust.store.post('/customers', undefined, { raw, headers: jsonHeaders }), 'bad-request')
  })

  it('accepts the joins of players and ignores players it does not know', async () => {
    const { server, buyer } = await queued([])
    const join = (player_join: object) => ({ event: 'player_join', timestamp: new Date().toISOString(), player_join })
    const json = [
      join({ ip_address: '203.0.113.50', steam_id: buyer.steam_id }),
      join({ ip_address: '203.0.113.51', steam_id: fresh.steamId() }),
      join({ minecraft_uuid: 'garbage' }),
    ]
    expect((await server.call('POST', '/events', { json })).status).toBe(204)
  })
})

const jsonHeaders = { 'content-type': 'application/json' }
