import { createLogger } from '@storekeep/common/log'
import { requireEnv } from '@storekeep/common/testing'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { readConfig } from '../src/config.ts'
import { type RunningGateway, start } from '../src/start.ts'
import { type FakeServices, startFakeServices } from './fake-services.ts'
import { createHttpClient, type HttpClient } from './http-client.ts'
import { newApiKey, newId } from './ids.ts'

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
    cells[keyCell]?.apiKeys.set(apiKey, { keyId: idIn(keyCell), storeId: id, scopes: ['customers:read'] })
    return {
      manage: () =>
        http.request('GET', `/v1/stores/${id}/customers/5`, { headers: { authorization: `APIKey ${apiKey}` } }),
      shop: () => http.request('GET', '/v1/store', { headers: { 'x-service-store-id': id } }),
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

  it('answers for a cell that it does not know as for an unknown key or store, without a call', async () => {
    for (const { calls } of cells) calls.length = 0
    const store = openStore(2)
    expect(await store.manage()).toMatchObject({ status: 401, body: { code: 'unauthorized' } })
    expect(await store.shop()).toMatchObject({ status: 404, body: { code: 'not-found' } })
    expect([...callsOf(0), ...callsOf(1)]).toEqual([])
  })

  it('a cell that is down costs only its stores', async () => {
    const [kept, lost] = [openStore(0), openStore(1)]
    for (const { manage } of [kept, lost]) expect((await manage()).status).toBe(200)
    await vi.waitFor(async () => {
      const { status, body } = await http.request('GET', '/readyz')
      expect({ status, body }).toMatchObject({ status: 200, body: { cells: { 0: 'reachable', 1: 'reachable' } } })
    }, 60_000)

    await cells[1]?.close()

    const responses = await Promise.all(
      Array.from({ length: 50 }, async () => ({
        kept: [await kept.manage(), await kept.shop()],
        lost: [await lost.manage(), await lost.shop(), await openStore(1).manage()],
      })),
    )
    expect(responses.flatMap((one) => one.kept).filter(({ status }) => status !== 200)).toEqual([])
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
