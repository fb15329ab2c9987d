import { createLogger } from '@storekeep/common/log'
import { requireEnv } from '@storekeep/common/testing'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { readConfig } from '../src/config.ts'
import { type RunningGateway, start } from '../src/start.ts'
import { type FakeServices, startFakeServices } from './fake-services.ts'
import { createHttpClient, type HttpClient } from './http-client.ts'
import { newApiKey, newGameServerToken, newId } from './ids.ts'

const log = createLogger({ service: 'gateway', level: 'silent' })

describe('a gateway of two cells', () => {
  const cells: FakeServices[] = []
  let running: RunningGateway
  let http: HttpClient

  beforeAll(async () => {
    for (let cell = 0; cell < 2; cell += 1) cells.push(await startFakeServices(log))
    const [first, second] = cells.map(({ addressSettings }) => addressSettings)
    const ofSecond = Object.entries(second ?? {}).map(([name, value]) => [`CELL_1_${name}`, value])
    const config = readConfig({
      PORT: '0',
      CHECKOUT_BASE_URL: 'https://pay.example.com/checkout',
      ...Object.fromEntries(ofSecond),
      ...first,
      CELLS: '0,1',
      REDIS_URL: requireEnv('TEST_REDIS_URL'),
      REDIS_KEY_PREFIX: `gateway-test-${newId()}:`,
      // Generous for a busy machine. No test waits for them: failing calls fail immediately.
      REQUEST_TIMEOUT_MS: '15000',
    })
    running = await start(config, { log })
    http = createHttpClient(running.port)
  })
  afterAll(async () => {
    http.close()
    await running.stop()
    for (const fakes of cells) await fakes.close()
  })

  function openStore(cell: number, keyCell = cell) {
    const [id, apiKey] = [idIn(cell), newApiKey(keyCell)]
    cells[keyCell]?.apiKeys.set(apiKey, {
      keyId: idIn(keyCell),
      storeId: id,
      scopes: ['customers:read', 'delivery:read'],
    })
    const headers = { authorization: `APIKey ${apiKey}` }
    return {
      manage: () => http.request('GET', `/v1/stores/${id}/customers/5`, { headers }),
      items: () => http.request('GET', `/v1/stores/${id}/delivery/items`, { headers }),
      shop: () => http.request('GET', '/v1/store', { headers: { 'x-service-store-id': id } }),
    }
  }

  function openGameServer(cell: number, tokenCell = cell) {
    const [gameServerId, storeId, token] = [idIn(cell), idIn(cell), newGameServerToken(tokenCell)]
    cells[cell]?.gameServerTokens.set(token, { gameServerId, storeId, enabled: true, epoch: 1n })
    const headers = { authorization: `Gameserver ${token}` }
    const send = (method: string, path: string, json?: object) =>
      http.request(method, `/v1/delivery${path}`, { json, headers })
    return {
      link: () => send('POST', '/gameserver/link', { ip: '', hostname: '', platform: '', version: '' }),
      poll: () => send('POST', '/command-queue', {}),
      acknowledge: () => send('POST', '/command-queue/acknowledge', [{ attempt_id: '7' }]),
      join: () => send('POST', '/events', [{ event: 'player_join', timestamp: 1_790_000_000 }]),
    }
  }

  const callsOf = (cell: number) => (cells[cell]?.calls ?? []).map(({ name }) => name)

  it('sends a request to the cell of its key and its store, and to no other', async () => {
    for (const cell of [0, 1]) {
      for (const { calls } of cells) calls.length = 0
      const store = openStore(cell)
      expect((await store.manage()).status).toBe(200)
      expect((await store.shop()).status).toBe(200)
      expect(callsOf(cell)).toEqual(['verifyApiKey', 'getCustomer', 'getStore'])
      expect(callsOf(1 - cell)).toEqual([])
    }
  })

  it('sends what a game server does, and a list of items, to the cell of its token and its store, and to no other', async () => {
    for (const cell of [0, 1]) {
      for (const { calls } of cells) calls.length = 0
      const { link, poll, acknowledge, join } = openGameServer(cell)
      const statuses: number[] = []
      for (const send of [link, poll, acknowledge, join, openStore(cell).items]) statuses.push((await send()).status)
      expect(statuses).toEqual([200, 200, 204, 204, 200])
      expect(callsOf(cell).filter((name) => name !== 'verifyGameServerToken')).toEqual([
        'linkGameServer',
        'pollCommands',
        'acknowledgeCommands',
        'recordPlayerJoins',
        'verifyApiKey',
        'listDeliveryItems',
        'listCustomers',
      ])
      expect(callsOf(cell)).toContain('verifyGameServerToken')
      expect(callsOf(1 - cell)).toEqual([])
    }
  })

  it('rejects the token of a game server that names another cell than its own, or an unknown one', async () => {
    for (const { calls } of cells) calls.length = 0
    expect((await openGameServer(0, 1).poll()).status).toBe(401)
    expect([callsOf(0), callsOf(1)]).toEqual([[], ['verifyGameServerToken']])
    expect((await openGameServer(0, 2).poll()).status).toBe(401)
    expect([callsOf(0), callsOf(1)]).toEqual([[], ['verifyGameServerToken']])
  })

  it('answers for a cell that it does not know as for an unknown key or store, without a call', async () => {
    for (const { calls } of cells) calls.length = 0
    const store = openStore(2)
    expect(await store.manage()).toMatchObject({ status: 401, body: { code: 'unauthorized' } })
    expect(await store.shop()).toMatchObject({ status: 404, body: { code: 'not-found' } })
    expect([...callsOf(0), ...callsOf(1)]).toEqual([])
  })

  it('a cell that is down costs only its stores', async () => {
    const [kept, lost] = [openStore(0), openStore(1)]
    const [keptServer, lostServer] = [openGameServer(0), openGameServer(1)]
    for (const { manage } of [kept, lost]) expect((await manage()).status).toBe(200)
    for (const { acknowledge } of [keptServer, lostServer]) expect((await acknowledge()).status).toBe(204)
    await vi.waitFor(async () => {
      const { status, body } = await http.request('GET', '/readyz')
      expect({ status, body }).toMatchObject({ status: 200, body: { cells: { 0: 'reachable', 1: 'reachable' } } })
    }, 60_000)

    await cells[1]?.close()

    const responses = await Promise.all(
      Array.from({ length: 50 }, async () => ({
        kept: [await kept.manage(), await kept.shop(), await keptServer.acknowledge()],
        lost: [await lost.manage(), await lost.shop(), await openStore(1).manage(), await lostServer.acknowledge()],
      })),
    )
    expect(responses.flatMap((one) => one.kept).filter(({ status }) => status >= 300)).toEqual([])
    for (const response of responses.flatMap((one) => one.lost)) {
      expect(response).toMatchObject({ status: 503, body: { code: 'service-unavailable' } })
      expect(response.headers['retry-after']).toBe('1')
    }
    await vi.waitFor(async () => {
      const { status, body } = await http.request('GET', '/readyz')
      expect({ status, body }).toMatchObject({ status: 200, body: { cells: { 0: 'reachable', 1: 'unreachable' } } })
    }, 60_000)
    const { text } = await http.request('GET', '/metrics')
    expect(text).toMatch(/^cell_reachable\{.*cell="0".*\} 1$/m)
    expect(text).toMatch(/^cell_reachable\{.*cell="1".*\} 0$/m)
  })
})

/** A unique snowflake id that was created in a cell. */
function idIn(cell: number): string {
  return String((BigInt(newId()) & ~(63n << 16n)) | BigInt(cell << 16))
}
