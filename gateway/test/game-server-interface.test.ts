import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { errors } from '@storekeep/common/errors'
import { ActorType } from '@storekeep/proto/common/v1/actor'
import { describe, expect, it } from 'vitest'
import { endpoints } from '../src/routes/index.ts'
import { itemsOf, type TestGameServer, useGateway } from './harness.ts'
import { newApiKey, newGameServerToken, newId } from './ids.ts'

const gateway = useGateway()
const uuid = '069a79f4-44e9-4726-a5be-fca90e38aaf5'

type Operation = [method: string, path: string, status: number, body?: string | undefined]

const operations: Operation[] = [
  ['POST', '/gameserver/link', 200, '{"ip":"","hostname":"","platform":"","version":""}'],
  ['GET', '/command-queue', 200],
  ['POST', '/command-queue', 200, '{}'],
  ['DELETE', '/command-queue', 204, '[]'],
  ['POST', '/command-queue/acknowledge', 204, '[]'],
  ['DELETE', '/command-queue/7', 204],
  ['POST', '/events', 204, '[]'],
]

function sendTo(server: TestGameServer, [method, path, , raw]: Operation, headers = {}) {
  return server.send(method, path, { ...(raw !== undefined && { raw }), headers })
}

/** The calls of an RPC in this test. */
const callsOf = (name: string) => gateway.services.calls.filter((call) => call.name === name)

it('these tests cover every operation for game servers', () => {
  const declared = endpoints.filter(({ auth }) => auth === 'game-server')
  const listed = operations.map(([method, path]) => `${method} /v1/delivery${path.replace('/7', '/{attemptId}')}`)
  expect(declared.map(({ method, path }) => `${method.toUpperCase()} ${path}`).sort()).toEqual(listed.sort())
})

describe.each(operations)('%s /v1/delivery%s', (...operation) => {
  it('succeeds with a token, with and without a trailing slash and with a query', async () => {
    const [method, path, status, body] = operation
    const server = gateway.newGameServer()
    for (const suffix of ['', '/', '?t=1', '/?t=1']) {
      expect((await sendTo(server, [method, path + suffix, status, body])).status, suffix).toBe(status)
    }
  })

  it.each([
    ['no credential', undefined],
    ['an unknown token', `Gameserver ${newGameServerToken()}`],
    ['a malformed token', 'Gameserver skgs_1'],
    ['a token of a cell that does not exist', `Gameserver ${newGameServerToken(42)}`],
    ['an API key', `APIKey ${newApiKey()}`],
    ['a bare token', newGameServerToken()],
  ])('responds with 401 to %s', async (_, authorization) => {
    const response = await sendTo(gateway.newGameServer(), operation, { authorization })
    expect(response.body).toMatchObject({ status: 401, code: 'unauthorized' })
    expect(response.headers['www-authenticate']).toBe('Gameserver realm="storekeep"')
    if (authorization) expect(response.text).not.toContain(authorization.slice(-20))
  })

  it('responds with 403 to a disabled server', async () => {
    const server = gateway.newGameServer()
    server.identity.enabled = false
    for (let count = 0; count < 2; count += 1) {
      expect((await sendTo(server, operation)).body).toMatchObject({ status: 403, code: 'forbidden' })
    }
  })

  it('responds with 503, never 401, if the token cannot be verified', async () => {
    gateway.services.overrides.verifyGameServerToken = () => Promise.reject(errors.unavailable())
    const response = await sendTo(gateway.newGameServer(), operation)
    expect(response.body).toMatchObject({ status: 503, code: 'service-unavailable' })
    expect(response.headers['retry-after']).toBe('1')
  })

  it('acts as the game server in its store', async () => {
    const [method, path, status] = operation
    const json = path === '/events' ? '[{"event":"player_join","timestamp":1790000000}]' : '["7"]'
    const server = gateway.newGameServer()
    await sendTo(server, status === 204 ? [method, path, status, json] : operation)
    const last = gateway.services.calls.at(-1)
    expect(last?.request).toMatchObject({ gameServerId: server.id })
    expect(last?.call).toMatchObject({ storeId: server.storeId, actor: { type: ActorType.GAME_SERVER, id: server.id } })
  })

  it.each([undefined, 'text/plain', 'application/x-www-form-urlencoded', 'nonsense'])(
    'reads a body of the type %s',
    async (type) => {
      expect((await sendTo(gateway.newGameServer(), operation, { 'content-type': type })).status).toBe(operation[2])
    },
  )
})

describe('a verified token', () => {
  it('is not verified again while the delivery service accepts its epoch', async () => {
    const server = gateway.newGameServer()
    for (const operation of operations) await sendTo(server, operation)
    gateway.clock.ahead = 3_600_000
    for (const operation of operations) await sendTo(server, operation)
    expect(callsOf('verifyGameServerToken')).toHaveLength(1)
  })

  it('is accepted as soon as its server is enabled', async () => {
    const server = gateway.newGameServer()
    server.identity.enabled = false
    expect((await server.send('GET', '/command-queue')).status).toBe(403)
    Object.assign(server.identity, { enabled: true, epoch: 2n })
    expect((await server.send('GET', '/command-queue')).status).toBe(200)
  })

  const longer: Operation[] = operations.map(([method, path, status, raw]) => {
    const bodies: Record<string, string> = { '/events': '[{"event":"player_join","timestamp":1790000000}]' }
    return [method, path, status, raw === '[]' ? (bodies[path] ?? '["7"]') : raw]
  })

  it.each(longer)('is verified again once its epoch is outdated: %s %s', async (...operation) => {
    const server = gateway.newGameServer()
    await sendTo(server, operation)
    server.identity.epoch = 2n
    for (let count = 0; count < 2; count += 1) expect((await sendTo(server, operation)).status).toBe(operation[2])
    expect(callsOf('verifyGameServerToken')).toHaveLength(2)
    server.identity.enabled = false
    expect((await sendTo(server, operation)).status).toBe(403)
    gateway.services.gameServerTokens.delete(server.token)
    expect((await sendTo(server, operation)).status).toBe(401)
  })

  it.each(longer)('is never rejected because its epoch keeps changing: %s %s', async (...operation) => {
    const outdated = () => Promise.reject(errors.unauthorized())
    const calls = ['linkGameServer', 'pollCommands', 'acknowledgeCommands', 'recordPlayerJoins'] as const
    for (const name of calls) gateway.services.overrides[name] = outdated
    expect((await sendTo(gateway.newGameServer(), operation)).body).toMatchObject({ status: 503 })
  })

  it('of an unknown server is not verified again within a minute', async () => {
    const headers = { authorization: `Gameserver ${newGameServerToken()}` }
    const send = () => gateway.request('GET', '/v1/delivery/command-queue', { headers })
    expect([(await send()).status, (await send()).status]).toEqual([401, 401])
    expect(callsOf('verifyGameServerToken')).toHaveLength(1)
  })
})

describe('the command queue', () => {
  const due = {
    attemptId: '7',
    command: 'give Robin diamond',
    onlineOnly: true,
    queuedAt: timestampFromDate(new Date('2026-11-20T14:35:17.042Z')),
    requiredSlots: 0,
  }

  it('returns commands without the fields that have no value', async () => {
    const full = { steamId: '76561197960287930', minecraftUuid: uuid, customerName: 'Robin', requiredSlots: 2 }
    gateway.services.overrides.pollCommands = async () => ({
      commands: [
        { ...due, steamId: '', minecraftUuid: '', customerName: '' },
        { ...due, ...full },
      ],
    })
    const { body } = await gateway.newGameServer().send('GET', '/command-queue')
    const shown = { attempt_id: '7', command: due.command, online_only: true, queued_at: '2026-11-20T14:35:17.042Z' }
    expect(body).toEqual([
      shown,
      { ...shown, steam_id: full.steamId, minecraft_uuid: uuid, customer_name: 'Robin', required_slots: 2 },
    ])
  })

  it('returns the commands of all players to a GET, whose body is ignored', async () => {
    await gateway.newGameServer().send('GET', '/command-queue', { raw: '{"steam_ids":[1]' })
    expect(gateway.received()).toMatchObject({ anyPlayer: true, waitMs: 0, peerAddress: '127.0.0.1', steamIds: [] })
  })

  it.each<[string, string, object]>([
    ['no lists', '{}', {}],
    ['no body', '', {}],
    ['the empty list that Lua makes of an empty object', '[]', {}],
    ['null', 'null', {}],
    ['empty lists as objects', '{"steam_ids":{},"minecraft_uuids":{},"customer_names":null}', {}],
    [
      'ids as texts and as numbers with all of their digits',
      '{"steam_ids":[76561197960287930,"76561197960287931"]}',
      { steamIds: ['76561197960287930', '76561197960287931'] },
    ],
    [
      'names, and values that are not names',
      '{"customer_names":["Robin",null,{"a":1},["b"],"",true],"other":1}',
      { customerNames: ['Robin'] },
    ],
    ['UUIDs', `{"minecraft_uuids":["${uuid}"]}`, { minecraftUuids: [uuid] }],
  ])('returns the commands of the players in the lists of a POST: %s', async (_, raw, expected) => {
    const response = await gateway.newGameServer().send('POST', '/command-queue', { raw })
    expect(response.status).toBe(200)
    const lists = { steamIds: [], minecraftUuids: [], customerNames: [] }
    expect(gateway.received()).toMatchObject({ ...lists, ...expected, anyPlayer: false })
  })

  it('passes on the first 2,000 players of a list', async () => {
    const names = Array.from({ length: 2_001 }, (_, index) => `player-${index}`)
    await gateway.newGameServer().send('POST', '/command-queue', { json: { customer_names: names } })
    expect(gateway.received()).toMatchObject({ customerNames: names.slice(0, 2_000) })
  })

  it('rejects a body that is not JSON or is too large', async () => {
    const server = gateway.newGameServer()
    expect((await server.send('POST', '/command-queue', { raw: '{' })).status).toBe(400)
    expect((await server.send('POST', '/command-queue', { raw: ' '.repeat(512 * 1024 + 1) })).status).toBe(413)
  })

  it('gives no commands to a HEAD request', async () => {
    expect((await gateway.newGameServer().send('HEAD', '/command-queue')).status).toBe(405)
    expect(callsOf('pollCommands')).toEqual([])
  })
})

describe('an acknowledgement', () => {
  const forms: [string, (server: TestGameServer, raw: string) => Promise<{ status: number }>][] = [
    ['DELETE', (server, raw) => server.send('DELETE', '/command-queue', { raw })],
    ['POST', (server, raw) => server.send('POST', '/command-queue/acknowledge', { raw })],
  ]

  it.each(forms)('by %s reports ids in any form', async (_, send) => {
    const raw = '[{"attempt_id":"7"},{"attempt_id":411486491630370950},"8",9,{"attempt_id":"x"},{"id":1},null,[]]'
    expect((await send(gateway.newGameServer(), raw)).status).toBe(204)
    expect(gateway.received()).toMatchObject({
      attemptIds: ['7', '411486491630370950', '8', '9', 'x'],
      peerAddress: '127.0.0.1',
    })
  })

  it.each(['', '{', 'null', '{}', '"7"', '[}', '\xff'])('succeeds with the body "%s"', async (raw) => {
    for (const [, send] of forms) expect((await send(gateway.newGameServer(), raw)).status).toBe(204)
    expect(callsOf('acknowledgeCommands')).toEqual([])
  })

  it('of more than 1,000 commands is passed on in parts', async () => {
    const json = Array.from({ length: 2_500 }, (_, index) => ({ attempt_id: String(index + 1) }))
    await gateway.newGameServer().send('DELETE', '/command-queue', { json })
    const parts = callsOf('acknowledgeCommands').map(({ request }) => (request as { attemptIds: string[] }).attemptIds)
    expect(parts.map(({ length }) => length)).toEqual([1000, 1000, 500])
    expect(parts.flat()).toEqual(json.map(({ attempt_id }) => attempt_id))
  })

  it('of a single command reports its id, whatever it is', async () => {
    const server = gateway.newGameServer()
    for (const id of ['7', 'abc', '%C3%A9']) {
      expect((await server.send('DELETE', `/command-queue/${id}`)).status).toBe(204)
      expect(gateway.received()).toMatchObject({ attemptIds: [decodeURIComponent(id)] })
    }
  })

  it('fails if it cannot be stored', async () => {
    gateway.services.overrides.acknowledgeCommands = () => Promise.reject(errors.unavailable())
    for (const [, send] of forms) expect((await send(gateway.newGameServer(), '["7"]')).status).toBe(503)
  })
})

describe('a link', () => {
  const given = { ip: '203.0.113.20', hostname: 'Survival', platform: 'Paper', version: '1.0' }

  it('returns the server, its store and no previous link', async () => {
    const server = gateway.newGameServer()
    expect((await server.send('POST', '/gameserver/link', { json: given })).body).toEqual({
      update_available: false,
      gameserver: { id: server.id, name: 'Survival', enabled: true },
      store_id: server.storeId,
      store_platform: 'minecraft',
    })
    expect(gateway.received()).toMatchObject(given)
  })

  it('returns the previous link', async () => {
    gateway.services.overrides.linkGameServer = async ({ gameServerId }: { gameServerId: string }) => ({
      gameServer: { id: gameServerId, storeId: '5', name: 'Survival', enabled: true },
      storePlatform: 'rust',
      previouslyLinked: { ip: '', hostname: 'Old', linkedAt: timestampFromDate(new Date(0)) },
    })
    const { body } = await gateway.newGameServer().send('POST', '/gameserver/link', { json: given })
    const previous = { ip: '', host_name: 'Old', last_linked_at: '1970-01-01T00:00:00.000Z' }
    expect(body).toMatchObject({ previously_linked: previous })
  })

  it('reads a name in Latin-1 or UTF-8', async () => {
    const json = JSON.stringify({ ...given, hostname: '§aSurvival' })
    for (const raw of [Buffer.from(json, 'latin1'), Buffer.from(json, 'utf8')]) {
      expect((await gateway.newGameServer().send('POST', '/gameserver/link', { raw })).status).toBe(200)
      expect(gateway.received()).toMatchObject({ hostname: '§aSurvival' })
    }
  })

  it('accepts numbers and null, and names the fields that are missing', async () => {
    const server = gateway.newGameServer()
    await server.send('POST', '/gameserver/link', { json: { ...given, ip: null, version: 2 } })
    expect(gateway.received()).toMatchObject({ ip: '', version: '2' })
    const response = await server.send('POST', '/gameserver/link', { json: { ip: '', hostname: '' } })
    expect(itemsOf(response)).toEqual(['platform required', 'version required'])
  })
})

describe('events', () => {
  const join = (timestamp: unknown, player: object = { steam_id: 76561197960287 }) => ({
    event: 'player_join',
    timestamp,
    player_join: player,
  })

  it('report joins with the fields that have a value', async () => {
    const player = { ip_address: '203.0.113.7', steam_id: '', minecraft_uuid: uuid, minecraft_name: 'Robin' }
    const json = [join('2026-11-20T15:01:12Z', player), join(1_790_000_000), join(1_790_000_000_500)]
    expect((await gateway.newGameServer().send('POST', '/events', { json })).status).toBe(204)
    const { joins } = gateway.received() as { joins: Record<string, unknown>[] }
    expect(joins).toMatchObject([
      { joinedAt: { seconds: 1_795_186_872n }, ipAddress: '203.0.113.7', minecraftUuid: uuid, minecraftName: 'Robin' },
      { joinedAt: { seconds: 1_790_000_000n }, steamId: '76561197960287' },
      { joinedAt: { seconds: 1_790_000_000n, nanos: 500_000_000 } },
    ])
    expect(joins[0]?.steamId).toBeUndefined()
  })

  it('of other kinds, and without a valid time, are ignored', async () => {
    const json = [{ event: 'server_start' }, join('yesterday'), join(null), null, 7]
    expect((await gateway.newGameServer().send('POST', '/events', { json })).status).toBe(204)
    expect(callsOf('recordPlayerJoins')).toEqual([])
  })
})

describe('every other operation stays strict', () => {
  it('about bytes, types, slashes and queries', async () => {
    const store = gateway.newStore()
    const { authorization } = store.signIn()
    const latin1 = Buffer.from('{"name":"\xa7"}', 'latin1')
    expect((await store.send('POST', '/customers', { raw: latin1 })).body).toMatchObject({
      status: 400,
      message: 'The body is not valid UTF-8.',
    })
    for (const type of [undefined, 'text/plain']) {
      const headers = { 'content-type': type }
      expect((await store.send('POST', '/customers', { raw: '{}', headers })).status).toBe(415)
    }
    expect((await store.send('GET', '/customers/')).status).toBe(404)
    expect((await store.send('GET', '/customers?t=1')).status).toBe(400)
    expect((await store.shop('GET', '/customer/', { headers: { authorization } })).status).toBe(404)
    expect((await store.send('HEAD', '/customers')).status).toBe(200)
  })

  it('about the credential: the token of a game server opens nothing else', async () => {
    const { token, storeId } = gateway.newGameServer()
    const headers = { authorization: `Gameserver ${token}`, 'x-service-store-id': storeId }
    expect((await gateway.request('GET', `/v1/stores/${storeId}/gameservers`, { headers })).status).toBe(401)
    expect((await gateway.request('GET', '/v1/store/customer', { headers })).status).toBe(401)
  })
})

describe('the older paths', () => {
  it('reach the same operations', async () => {
    const store = gateway.newStore()
    const { authorization } = store.signIn()
    expect((await store.send('GET', '/command-delivery/items')).status).toBe(200)
    expect((await store.send('DELETE', `/customers/${newId()}/command-delivery/items/${newId()}`)).status).toBe(204)
    expect(gateway.received()).toHaveProperty('itemId')
    const shop = await store.shop('GET', '/customer/command-delivery/items', { headers: { authorization } })
    expect(shop.status).toBe(200)
  })

  it('are not in the documentation', async () => {
    expect((await gateway.request('GET', '/openapi.json')).text).not.toContain('command-delivery')
  })
})
