import { type Rebuild, RebuildState } from '@storekeep/proto/search/v1/search_service'
import {
  deleteStream,
  onServer,
  report,
  type SearchBody,
  type System,
  scaled,
  seededRandom,
  startSystem,
  type TestStore,
  waitFor,
} from '@storekeep/test/kit'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startChangeWorkload } from './change-workload.ts'
import { startEarlyAcknowledger } from './early-acknowledger.ts'
import { compareIndex, operateSearch } from './search-operations.ts'

let system: System
beforeAll(async () => {
  system = await startSystem({
    own: ['nats'],
    settings: { gateway: { RATE_LIMIT_API_KEY_PER_MINUTE: '100000000', LOG_LEVEL: 'warn' } },
  })
})
afterAll(() => system.stop())

/** Goal 19. */
it('rebuilds the index under writes and searches without a failed search, equal to its sources', async () => {
  const random = seededRandom()
  const store = await system.createStore()
  const http = [1, 2, 3, 4].map(() => system.openGateway(0, { checked: false }))
  const workload = startChangeWorkload(store, http, random)
  await workload.more(100)
  const searches = searchOn(store.through(system.openGateway(0)))
  const ids = [await liveRebuild(system)]
  for (let round = 0; round < scaled(2); round += 1) {
    const { rebuild: begun } = await operateSearch(system.search.address, (search, call) =>
      search.startRebuild({}, call),
    )
    const ended = await rebuildEnded(begun?.id ?? '')
    expect(ended.state).toBe(RebuildState.LIVE)
    ids.push(ended.id)
    await workload.more(50)
  }
  await workload.stop()
  const found = await searches.stop()
  const { checked, drifted } = await compareIndex(system.search.address)
  report('search rebuild', {
    seed: random.seed,
    'acknowledged changes': workload.acknowledged.size,
    searches: found.count,
    'failed searches': found.failed.length,
    checked,
    drifted,
  })
  expect(new Set(ids).size).toBe(ids.length)
  expect(found.failed).toEqual([])
  expect(found.count).toBeGreaterThan(10)
  expect(drifted).toBe(0)
})

/** Goal 5, invariant I3. */
it('indexes every acknowledged change after a failure of any process or server', async () => {
  const random = seededRandom()
  const nats = system.infra.server('nats')
  const store = await system.createStore()
  const http = [1, 2, 3, 4].map(() => system.openGateway(0, { checked: false }))
  const workload = startChangeWorkload(store, http, random)
  const faults = [
    async () => {
      await system.customers.kill('SIGKILL')
      await system.customers.restart()
    },
    async () => {
      await system.search.kill('SIGKILL')
      await workload.more(20)
      await system.search.restart()
    },
    async () => {
      await nats.kill('SIGKILL')
      await workload.more(20)
      await nats.restart()
    },
    async () => {
      await waitFor('the stream to be deleted', () => deleteStream(nats.url, system.stream))
    },
  ]
  const plan = [...faults, ...faults]
  while (plan.length > 0) {
    const [fault] = plan.splice(random.below(plan.length), 1)
    await workload.more(30 + random.below(60))
    await fault?.()
  }
  await workload.stop()
  await waitFor('every event to be published', () => outboxIsEmpty(system), { timeoutMs: 30_000 })
  const { checked, drifted } = await waitFor(
    'the index to be compared with its sources',
    async () => {
      const verdict = await compareIndex(system.search.address)
      return verdict.drifted === 0 && verdict
    },
    { timeoutMs: 60_000 },
  )
  const newest = new Map([...workload.acknowledged.values()].map(({ customerId, mark }) => [customerId, mark]))
  const lost = await missingCustomers(store.through(system.openGateway(0)), newest)
  report('search index under faults', {
    seed: random.seed,
    'acknowledged changes': workload.acknowledged.size,
    checked,
    drifted,
    'customers lost': lost.length,
  })
  expect(lost).toEqual([])
})

/** Negative control: the same crash with a consumer that acknowledges before it applies. */
it('loses records when a consumer acknowledges events before it applies them', async () => {
  const acknowledger = await startEarlyAcknowledger(system)
  const store = await system.createStore()
  const http = [1, 2, 3, 4].map(() => system.openGateway(0, { checked: false }))
  const workload = startChangeWorkload(store, http, seededRandom())
  await acknowledger.dieAtTheWorstMoment()
  await workload.more(20)
  await workload.stop()
  acknowledger.restart()
  await waitFor('every event to be published', () => outboxIsEmpty(system))
  await acknowledger.stop()
  const created = new Set([...workload.acknowledged.values()].map(({ customerId }) => customerId))
  const lost = [...created].filter((id) => !acknowledger.applied.has(id))
  report('search index, negative control', { created: created.size, lost: lost.length })
  expect(lost.length).toBeGreaterThan(0)
})

async function rebuildEnded(rebuildId: string): Promise<Rebuild> {
  return await waitFor(
    'the rebuild to end',
    async () => {
      const { rebuild } = await operateSearch(system.search.address, (search, call) =>
        search.getRebuild({ rebuildId }, call),
      )
      return rebuild?.state !== RebuildState.RUNNING && rebuild
    },
    { timeoutMs: 60_000 },
  )
}

async function liveRebuild({ databaseUrlOf }: System): Promise<string> {
  return await waitFor('the index to be complete', () =>
    onServer(databaseUrlOf('search'), async (client) => {
      const { rows } = await client.query<{ id: string }>(`select id from generation where state = 'live'`)
      return rows[0]?.id
    }),
  )
}

/** Searches continuously until stopped. */
function searchOn(store: TestStore): { stop(): Promise<{ count: number; failed: number[] }> } {
  const found = { count: 0, failed: [] as number[] }
  let isOver = false
  const running = (async () => {
    while (!isOver) {
      const query = ['customer', 'mark', 'cutsomer', ''][found.count % 4]
      const { status } = await store.get(`/dashboard/search?query=${query}&limit=5`)
      found.count += 1
      if (status !== 200) found.failed.push(status)
    }
    return found
  })()
  return {
    stop: async () => {
      isOver = true
      return await running
    },
  }
}

async function outboxIsEmpty({ databaseUrlOf }: System): Promise<boolean> {
  return await onServer(databaseUrlOf('customers'), async (client) => {
    const { rows } = await client.query('select from outbox where published_at is null limit 1')
    return rows.length === 0
  })
}

/** Customers that search does not find, or not in their last acknowledged state. */
async function missingCustomers(store: TestStore, newest: ReadonlyMap<string, string>): Promise<string[]> {
  const missing: string[] = []
  for (const [id, mark] of newest) {
    const { body } = await store.get<SearchBody>(`/dashboard/search?query=${id}`)
    const [found] = body.results as { customer?: { id: string; metadata: { mark?: string } } }[]
    // A change that was not acknowledged can have been applied after the last acknowledged one.
    const isThere = found?.customer?.id === id && numberOf(found.customer.metadata.mark) >= numberOf(mark)
    if (!isThere) missing.push(id)
  }
  return missing
}

function numberOf(mark = 'mark-0'): number {
  return Number(mark.slice('mark-'.length))
}
