import {
  fresh,
  openDelivery,
  openShop,
  report,
  scaled,
  seededRandom,
  type TestStore,
  waitFor,
} from '@storekeep/test/kit'
import {
  type Cell,
  type CellSystem,
  countEffects,
  judge,
  type OpenLoop,
  openStoreTraffic,
  startBalancer,
  startCells,
  startOpenLoop,
  unlimited,
  type Verdict,
} from '@storekeep/test/kit/cluster'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

let system: CellSystem
beforeAll(async () => {
  // Generous for a busy machine: the test looks for failed requests, not slow ones.
  system = await startCells({ ...unlimited, REQUEST_TIMEOUT_MS: '15000' })
})
afterAll(() => system?.stop())

/** Decision 0039, with two whole cells: each has its own servers and services. */
describe('the game server of a store in either cell', () => {
  it('receives what its customers buy and lose, and nothing of a store that moved to the other cell', async () => {
    // A store moves by becoming a store of the other cell: with the same customer, product and server, and new ids and tokens.
    const steam_id = fresh.steamId()
    const [before, after] = await Promise.all(system.cells.map((cell) => openSale(cell, steam_id)))
    if (!before || !after) throw new Error('Two cells were started.')
    for (const [cell, { server, store }] of [before, after].entries()) {
      expect(server.token).toMatch(new RegExp(`^skgs_0${cell}`))
      expect((await server.call('POST', '/gameserver/link', { json: plugin })).body).toMatchObject({
        gameserver: { id: server.id },
        store_id: store.id,
      })
    }
    for (const { sell, server, items, refund, settledItems } of [before, after]) {
      const order = await sell()
      const given = await server.receive(1)
      expect(given).toMatchObject([{ command: `give ${steam_id}`, steam_id }])
      await server.acknowledge(given)
      expect(await items(`/orders/${order.id}`)).toMatchObject([{ state: 'active' }])
      expect(await items(`/gameservers/${server.id}`)).toMatchObject([{ order_id: order.id }])
      await refund(order.id)
      await settledItems(order.id, (found) => found.every(({ state }) => state === 'revoked'))
      const taken = await server.receive(1)
      expect(taken).toMatchObject([{ command: `take ${steam_id}` }])
      await server.acknowledge(taken)
    }
    await after.sell()
    const [command] = await after.server.receive(1)
    if (!command) throw new Error('The server has received no command.')
    // The old server neither receives nor acknowledges it, and its token is of no use in the other cell.
    await before.server.acknowledge([command])
    expect(await before.server.pollAll()).toEqual([])
    const [item] = await after.items(`/gameservers/${after.server.id}`)
    expect(item).toMatchObject({ state: 'usable', command_attempts: [{ id: command.attempt_id, state: 'pending' }] })
    const moved = `skgs_01${before.server.token.slice('skgs_00'.length)}`
    const headers = { authorization: `Gameserver ${moved}` }
    expect((await after.server.call('GET', '/command-queue', { headers })).status).toBe(401)
    expect((await after.store.get(`/gameservers/${before.server.id}/delivery/items`)).status).toBe(404)
  })
})

const plugin = { ip: '', hostname: '', platform: 'Paper', version: '1.0.0' }

/** A store with a game server and a product, which its customer buys. */
async function openSale(cell: Cell, steam_id: string) {
  const delivery = await openDelivery(await cell.createStore({ game: 'rust' }), cell.shopper)
  const server = await delivery.gameServer()
  const commands = [
    { stage: 'on_purchase', content: 'give {customer.steam.id}', online_only: false },
    { stage: 'on_refund', content: 'take {customer.steam.id}', online_only: false },
  ]
  const { id: product_id } = await delivery.shop.product({ gameservers: [server.id], commands })
  const { id: customer_id } = await delivery.shop.customer({ steam_id })
  const sell = () => delivery.buy({ customer_id, lines: [{ product_id, quantity: 1 }] })
  return { ...delivery, server, sell }
}

describe('while a cell', () => {
  it('is killed, requests to the stores of the other cell all succeed, and its own get 503 until it is back', async () => {
    const [kept, lost] = system.cells
    const shops = { kept: await openCheckout(kept), lost: await openCheckout(lost) }
    const run = await underLoad('killed', async (enter) => {
      await lost.kill('SIGKILL')
      await waitFor('the gateway to notice', async () => (await states()).join() === 'reachable,unreachable')
      await enter('down')
      // Every request for a store of the cell tells its client to retry, and pages of the other cell open.
      for (const send of [() => shops.lost.store.get('/customers'), () => shops.lost.store.shop('GET', '/store')]) {
        const response = await send()
        expect(response).toMatchObject({ status: 503, body: { code: 'service-unavailable' } })
        expect(response.headers['retry-after']).toBe('1')
      }
      expect([await statusOf(shops.kept.url), await statusOf(shops.lost.url)]).toEqual([200, 503])
      await enter('down')
      await lost.restart()
    })
    await expectIsolated(run)
    expect(run.lost.failures('down').filter((failure) => !failure.startsWith('503'))).toEqual([])
    await waitFor('the page of its checkout', async () => (await statusOf(shops.lost.url)) === 200)
  })

  it('hangs, requests to the stores of the other cell all succeed', async () => {
    const [, lost] = system.cells
    const run = await underLoad('hanging', async (enter, load) => {
      await lost.kill('SIGSTOP')
      try {
        await waitFor('the gateway to notice', async () => (await states()).join() === 'reachable,unreachable')
        await enter('down')
        await waitFor('its requests to give up', () =>
          load.outcomes.some(({ phase, failures }) => phase === 'down' && failures.length > 0),
        )
      } finally {
        await lost.kill('SIGCONT')
      }
    })
    await expectIsolated(run)
    expect(run.lost.failures('down').filter((failure) => !failure.startsWith('503'))).toEqual([])
  })
})

/**
 * Sends requests to a store of each cell at a fixed rate while `outage` runs, and until the gateway reaches both cells again. A third
 * load is the negative control: stores of the first cell again, through a balancer that requires all cells to be reachable.
 */
async function underLoad(
  name: string,
  outage: (enter: (phase: string) => Promise<void>, load: OpenLoop) => Promise<void>,
) {
  const [kept, lost] = system.cells
  await waitFor('both cells', async () => (await states()).join() === 'reachable,reachable')
  const strict = await startBalancer({ isReady: async (response) => !(await response.text()).includes('unreachable') })
  await strict.add(system.gateway.url)
  const seed = seededRandom().seed
  const open = async (cell: Cell, url: string, number: number) =>
    startOpenLoop({ url, perSecond, kinds: await openStoreTraffic(cell), random: seededRandom(seed + number) })
  const loads = {
    kept: await open(kept, system.gateway.url, 0),
    lost: await open(lost, system.gateway.url, 1),
    control: await open(kept, strict.url, 2),
  }
  const enter = async (phase: string) => {
    for (const load of Object.values(loads)) load.enter(phase)
    await Promise.all(Object.values(loads).map((load) => load.more(scaled(60))))
  }
  try {
    await enter('before')
    await outage(enter, loads.lost)
    await waitFor(
      'the gateway to reach the cell again',
      async () => (await states()).join() === 'reachable,reachable',
      {
        timeoutMs: 120_000,
      },
    )
    await enter('after')
  } finally {
    for (const load of Object.values(loads)) await load.stop()
    await strict.stop()
  }
  const run = {
    kept: await resultOf(loads.kept, kept),
    lost: await resultOf(loads.lost, lost),
    control: await resultOf(loads.control, kept),
  }
  report(`a cell ${name}`, {
    seed,
    'requests to the other cell': run.kept.verdict.requests,
    failed: run.kept.failures().length,
    'requests to the cell': run.lost.verdict.requests,
    'failed there': run.lost.failures().length,
    'failed in the negative control': run.control.failures().length,
  })
  return run
}

async function resultOf(load: OpenLoop, cell: Cell): Promise<Result> {
  return {
    verdict: judge(load.outcomes, await countEffects(cell)),
    failures: (phase) =>
      load.outcomes.filter((one) => phase === undefined || one.phase === phase).flatMap(({ failures }) => failures),
  }
}

interface Result {
  verdict: Verdict
  failures(phase?: string): string[]
}

async function expectIsolated({ kept, lost, control }: Record<'kept' | 'lost' | 'control', Result>): Promise<void> {
  expect([...kept.verdict.failedReads, ...kept.verdict.failedWrites]).toEqual([])
  expect(lost.failures('down').length).toBeGreaterThan(0)
  for (const { verdict } of [kept, lost]) {
    expect([...verdict.twice, ...verdict.lost, ...verdict.unfinished]).toEqual([])
  }
  // Negative control: readiness that requires every cell would cost the stores of all cells.
  expect(control.failures('down').length).toBeGreaterThan(0)
}

/** The state of each cell, as the gateway sees it. */
async function states(): Promise<string[]> {
  const { cells } = (await (await fetch(`${system.gateway.url}/readyz`)).json()) as { cells: Record<string, string> }
  return Object.values(cells)
}

/** A store with a checkout page. */
async function openCheckout(cell: Cell): Promise<{ store: TestStore; url: string }> {
  const store = await cell.createStore()
  const shop = openShop(store)
  const { body } = await store.post<{ url: string }>('/checkouts', {
    customer_id: (await shop.customer()).id,
    lines: [{ product_id: (await shop.product()).id, quantity: 1 }],
  })
  return { store, url: `http://localhost:${system.pages.port}/checkout/${new URL(body.url).search}` }
}

async function statusOf(url: string): Promise<number> {
  const { status } = await fetch(url)
  return status
}

const perSecond = 15
