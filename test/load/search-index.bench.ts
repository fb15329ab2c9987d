import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { createClient } from '@storekeep/common/grpc'
import { childContext, formatTraceparent } from '@storekeep/common/telemetry'
import { createTestTransport } from '@storekeep/common/testing/identity'
import { ActorType } from '@storekeep/proto/common/v1/actor'
import { RebuildState, SearchService } from '@storekeep/proto/search/v1/search_service'
import { type SearchBody, type System, startSystem, type TestStore, waitFor } from '@storekeep/test/kit'
import { print } from './print.ts'
import { quantiles } from './quantiles.ts'

/**
 * Measures the search index on a separate system: how fast it applies events and exports, how long a search takes, and how
 * soon a change can be found. Takes some minutes.
 */
const recordCount = Number(process.env.RECORDS ?? 100_000)
const writesPerSecond = Number(process.env.WRITES_PER_SECOND ?? 200)
const seconds = Number(process.env.SECONDS ?? 20)

const system = await startSystem({
  settings: { gateway: { RATE_LIMIT_API_KEY_PER_MINUTE: '100000000', LOG_LEVEL: 'warn' } },
})
try {
  const http = system.openGateway(0, { checked: false })
  const store = (await system.createStore()).through(http)
  await createRecords(store)
  await measureRebuild(system)
  await measureSearches(store)
  await measureLag(store)
} finally {
  await system.stop()
}

/** Creates records in batches, like an import, while they are indexed. */
async function createRecords(store: TestStore): Promise<void> {
  const started = performance.now()
  let next = 0
  const importBatches = async () => {
    while (next < recordCount) {
      const from = next
      next += 200
      const batch = Array.from({ length: Math.min(200, recordCount - from) }, (_, n) => recordOf(from + n))
      const { status, text } = await store.post('/customers/bulk', batch)
      if (status !== 200) throw new Error(`the import returned ${status}: ${text}`)
    }
  }
  await Promise.all([importBatches(), importBatches()])
  printFigure('records created over HTTP', `${recordCount} in ${since(started)}`)
  const count = () => total(store, '')
  await waitFor('all records to be found', async () => (await count()) === recordCount, {
    timeoutMs: 1_200_000,
    everyMs: 200,
  })
  printFigure('… and found', `after ${since(started)} (${rate(recordCount, started)} per second)`)
}

async function measureRebuild({ search }: System): Promise<void> {
  const transport = createTestTransport('search', search.address)
  const client = createClient(SearchService, transport)
  const call = { actor: { type: ActorType.ADMIN }, requestId: 'load', traceparent: formatTraceparent(childContext()) }
  const started = performance.now()
  const { rebuild } = await client.startRebuild({}, call)
  const look = async () => (await client.getRebuild({ rebuildId: rebuild?.id ?? '' }, call)).rebuild
  const long = { timeoutMs: 600_000, everyMs: 50 }
  await waitFor('the records to be read', async () => (await look())?.filledAt, long)
  printFigure('rebuild, records read', `after ${since(started)} (${rate(recordCount, started)} per second)`)
  const ended = await waitFor(
    'the rebuild to end',
    async () => {
      const now = await look()
      return now?.state !== RebuildState.RUNNING && now
    },
    long,
  )
  const drifted = ended.parts.reduce((sum, part) => sum + Number(part.drifted), 0)
  const state = ended.state === RebuildState.LIVE ? 'in use' : 'failed'
  printFigure(
    `rebuild, ${state}`,
    `after ${since(started)} (${rate(recordCount, started)} per second), ${drifted} differ`,
  )
  transport.close()
}

async function measureSearches(store: TestStore): Promise<void> {
  const known = recordOf(recordCount >> 1)
  const word = known.name.split(' ')[1] ?? ''
  const queries = {
    'an empty query': '',
    'an account id': known.steam_id,
    'a rare word': word,
    'a rare prefix': word.slice(0, 6),
    'a rare substring': word.slice(2, 8),
    'a typo in a rare word': `${word.slice(1, 2)}${word.slice(0, 1)}${word.slice(2)}`,
    'two words': `robin ${word.slice(0, 3)}`,
    'a twelfth of the records': 'robin',
    'all records': 'player',
  }
  for (const [what, query] of Object.entries(queries)) {
    const times: number[] = []
    let hits = 0
    for (let n = 0; n < 30; n += 1) {
      const started = performance.now()
      hits = await total(store, `?query=${encodeURIComponent(query)}`)
      times.push(performance.now() - started)
    }
    printFigure(`search for ${what}`, `${quantiles(times)}, ${hits} hits`)
  }
}

/** Measures every twentieth write: from its response to the first search that finds it. */
async function measureLag(store: TestStore): Promise<void> {
  const lags: number[] = []
  const watching: Promise<void>[] = []
  const writing: Promise<unknown>[] = []
  const started = performance.now()
  for (let n = 0; n < writesPerSecond * seconds; n += 1) {
    const dueAt = started + (n * 1000) / writesPerSecond
    if (dueAt > performance.now()) await pause(dueAt - performance.now())
    const name = `late${randomBytes(6).toString('hex')}`
    const written = store.post('/customers', { name })
    writing.push(written)
    if (n % 20 === 0) watching.push(written.then(() => watch(name)))
  }
  await Promise.all([...writing, ...watching])
  printFigure(`found after a write, at ${rate(writing.length, started)} writes per second`, quantiles(lags))

  async function watch(name: string): Promise<void> {
    const writtenAt = performance.now()
    await waitFor('the record to be found', async () => (await total(store, `?query=${name}`)) > 0, { everyMs: 5 })
    lags.push(performance.now() - writtenAt)
  }
}

function recordOf(index: number) {
  const first = [
    'Robin',
    'Alex',
    'Sam',
    'Kim',
    'Jordan',
    'Taylor',
    'Casey',
    'Morgan',
    'Jamie',
    'Riley',
    'Quinn',
    'Avery',
  ]
  const last = ((index + 1) * 2654435761) >>> 0
  return {
    name: `${first[index % first.length]} ${letters(last)} player`,
    steam_id: (76_561_197_960_265_729n + BigInt(index) * 7919n).toString(),
    metadata: { rank: 'vip' },
  }
}

/** A number as a pronounceable word. */
function letters(value: number): string {
  const syllables = ['ba', 'ko', 'mi', 'ru', 'te', 'sa', 'lo', 'ni', 'du', 'fe', 'ga', 'ho', 'pi', 'wu', 'xe', 'za']
  return [0, 4, 8, 12, 16, 20].map((shift) => syllables[(value >>> shift) & 15]).join('')
}

async function total(store: TestStore, query: string): Promise<number> {
  const { status, body } = await store.get<SearchBody>(`/dashboard/search${query}`)
  return status === 200 ? Object.values(body.facets).reduce((sum, count) => sum + count, 0) : Number.NaN
}

function since(started: number): string {
  return `${((performance.now() - started) / 1000).toFixed(1)} s`
}

function rate(count: number, started: number): number {
  return Math.round((count / (performance.now() - started)) * 1000)
}

function printFigure(what: string, figure: string): void {
  print(`${what.padEnd(50)} ${figure}`)
}
