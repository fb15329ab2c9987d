import { Client, credentials } from '@grpc/grpc-js'
import { StoresService } from '@storekeep/proto/stores/v1/stores_service'
import { expect, it, vi } from 'vitest'
import { createEnvReader, readCells } from '../src/config/index.ts'
import { connectCells, createClient } from '../src/grpc/index.ts'
import { createMetrics } from '../src/telemetry/index.ts'
import { plainCall } from '../testing/plain-call.ts'
import { caller, closers, options, serveStores } from './grpc-harness.ts'

/** An id that was created in a cell. */
const idIn = (cell: number) => String((1_234n << 22n) | BigInt(cell << 16) | (1n << 12n))

async function serve(cell: number | undefined, port = 0) {
  const handled: (string | undefined)[] = []
  let until: Promise<void> | undefined
  const server = await serveStores(
    {
      getStore: async (_request, { storeId }) => {
        handled.push(storeId)
        await until
        return { store: { id: `from cell ${cell}` } }
      },
      verifyApiKey: async () => ({ keyId: `${cell}` }),
    },
    { port, ...(cell !== undefined && { cell }) },
  )
  const hang = (end: Promise<void>) => {
    until = end
  }
  return { ...server, handled, hang }
}

const unknown = { code: 'not-found', message: expect.stringContaining('store') }

it('a server handles only calls for the stores of its cell, and calls that name no store', async () => {
  const { client, port, handled } = await serve(7)
  const plain = new Client(`127.0.0.1:${port}`, credentials.createInsecure())
  closers.push(() => plain.close())
  for (const cell of [0, 6, 8, 63]) {
    await expect(client.getStore({}, { ...options, storeId: idIn(cell) })).rejects.toMatchObject(unknown)
    const call = plainCall(plain, StoresService.method.getStore, {}, { ...options, storeId: idIn(cell) })
    await expect(call).rejects.toMatchObject({ details: expect.stringContaining('store') })
  }
  expect(handled).toEqual([])
  await client.getStore({}, { ...options, storeId: idIn(7) })
  await plainCall(plain, StoresService.method.getStore, {}, { ...options, storeId: idIn(7) })
  await client.verifyApiKey({ key: 'k' }, { ...options, storeId: undefined })
  expect(handled).toEqual([idIn(7), idIn(7)])
})

it('without a cell, a server would handle the calls of every store (negative control)', async () => {
  const { client, handled } = await serve(undefined)
  await client.getStore({}, { ...options, storeId: idIn(8) })
  expect(handled).toEqual([idIn(8)])
})

async function connect(cells: readonly number[]) {
  // Without a cell, so that only routing decides which server handles a call.
  const servers = await Promise.all(cells.map(() => serve(undefined)))
  const env = createEnvReader({
    CELLS: cells.join(),
    ...Object.fromEntries(
      cells.map((cell, index) => [
        cell === 0 ? 'STORES_ADDRESS' : `CELL_${cell}_STORES_ADDRESS`,
        `127.0.0.1:${servers[index]?.port}`,
      ]),
    ),
  })
  const addresses = readCells(env, ['stores'])
  env.finish()
  const metrics = createMetrics({ service: 'test' })
  const { transports, states, close } = connectCells({
    cells: addresses,
    identity: caller,
    metrics,
  })
  closers.push(close)
  return {
    client: createClient(StoresService, transports.stores),
    servers,
    states,
    metrics,
    restart: (index: number) => serve(undefined, servers[index]?.port),
  }
}

it('a call goes to the cell of its store, or to the given cell if it names no store', async () => {
  const { client, servers } = await connect([0, 1, 63])
  for (const cell of [63, 0, 1]) await client.getStore({}, { ...options, storeId: idIn(cell) })
  expect(servers.map(({ handled }) => handled)).toEqual([[idIn(0)], [idIn(1)], [idIn(63)]])
  await expect(client.getStore({}, { ...options, storeId: idIn(2) })).rejects.toMatchObject(unknown)
  await client.verifyApiKey({ key: 'k' }, { ...options, storeId: undefined, cell: 1 })
  const nowhere = client.verifyApiKey({ key: 'k' }, { ...options, storeId: undefined, cell: 2 })
  await expect(nowhere).rejects.toMatchObject({ code: 'not-found' })
  const unrouted = client.verifyApiKey({ key: 'k' }, { ...options, storeId: undefined })
  await expect(unrouted).rejects.toMatchObject({ code: 'internal-error' })
})

it('with one cell, calls are not routed: its services decide which stores they know', async () => {
  const { client, servers } = await connect([3])
  await client.getStore({}, { ...options, storeId: idIn(2) })
  await client.verifyApiKey({ key: 'k' }, { ...options, storeId: undefined })
  expect(servers[0]?.handled).toEqual([idIn(2)])
})

it.each([
  ['fails immediately when 2,000 calls to the cell are in flight, and costs other cells nothing', [0, 1], 2000],
  ['waits, however many there are, if there is no other cell (negative control)', [0], 2100],
] as const)('a call to a cell that hangs %s', async (_, cells, expected) => {
  const { client, servers } = await connect(cells)
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  servers[0]?.hang(released)
  let failed = 0
  const call = async () => {
    const code = await client
      .getStore({}, { ...options, storeId: idIn(0), deadlineMs: 300_000, isHeavy: true })
      .catch(({ code }) => code)
    if (code === 'service-unavailable') failed += 1
  }
  const calls = Array.from({ length: 2100 }, call)
  await vi.waitFor(() => expect(servers[0]?.handled).toHaveLength(expected), 60_000)
  expect(failed).toBe(2100 - expected)
  for (const cell of cells.slice(1)) await client.getStore({}, { ...options, storeId: idIn(cell), deadlineMs: 60_000 })
  release()
  await Promise.all(calls)
  await client.getStore({}, { ...options, storeId: idIn(0), deadlineMs: 60_000 })
})

it('the state of a cell is known without any call', async () => {
  const { states, servers, restart } = await connect([0, 1])
  const current = () => Object.fromEntries(states())
  await vi.waitFor(() => expect(current()).toEqual({ 0: 'reachable', 1: 'reachable' }), 60_000)
  await servers[1]?.server.stop(0)
  await vi.waitFor(() => expect(current()).toEqual({ 0: 'reachable', 1: 'unreachable' }), 60_000)
  await restart(1)
  await vi.waitFor(() => expect(current()).toEqual({ 0: 'reachable', 1: 'reachable' }), 60_000)
})

it('the metrics of calls name the cell', async () => {
  const { metrics } = await connect([0, 1])
  const { values = [] } = (await metrics.registry.getSingleMetric('rpc_client_retries_total')?.get()) ?? {}
  expect(values.map(({ labels }) => labels.cell).sort()).toEqual(['0', '1'])
})

it.each([
  ['', '0'],
  ['0', '0'],
  ['0, 5 ,63', '0,5,63'],
  ['9', '9'],
])('CELLS=%j names the cells %s', (text, cells) => {
  const settings = {
    STORES_ADDRESS: 'a',
    CELL_5_STORES_ADDRESS: 'b',
    CELL_9_STORES_ADDRESS: 'c',
    CELL_63_STORES_ADDRESS: 'd',
  }
  const env = createEnvReader({ ...settings, CELLS: text })
  expect([...readCells(env, ['stores']).keys()].join()).toBe(cells)
  env.finish()
})

it.each(['64', '-1', 'a', '1,1', '0,,1', '1.5', '001'])('CELLS=%j is rejected by name', (text) => {
  const env = createEnvReader({ STORES_ADDRESS: 'a', CELLS: text })
  readCells(env, ['stores'])
  expect(() => env.finish()).toThrow('CELLS must be comma-separated numbers of cells from 0 to 63, each once')
})

it('every missing address of a cell is named', () => {
  const env = createEnvReader({ CELLS: '0,2', STORES_ADDRESS: 'a' })
  readCells(env, ['stores', 'bans'])
  expect(() => env.finish()).toThrow(
    'Invalid settings: BANS_ADDRESS is missing; CELL_2_STORES_ADDRESS is missing; CELL_2_BANS_ADDRESS is missing.',
  )
})
