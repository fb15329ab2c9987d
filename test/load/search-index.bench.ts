import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { onServer, type SearchBody, type System, startSystem, type TestStore, waitFor } from '@storekeep/test/kit'
import { cpuTimeOf } from './cpu-time.ts'
import { print } from './print.ts'
import { quantiles } from './quantiles.ts'
import { rebuildIndex } from './rebuild-index.ts'
import { whenSettled } from './when-settled.ts'

/**
 * Measures the search index on a separate system, for growing numbers of customers: how fast a rebuild reads them from
 * their owner, how long each kind of search takes, how much space the index needs, what indexing an event costs, and how
 * soon a change can be found.
 */
const sizes = (process.env.SIZES ?? '100000,300000').split(',').map(Number)
const connections = Number(process.env.CONNECTIONS ?? 8)
const secondsPerKind = Number(process.env.SECONDS_PER_KIND ?? 4)
/** The kinds to measure, as a comma-separated list of their beginnings; all by default. */
const chosen = process.env.KINDS?.split(',')
const writesPerSecond = Number(process.env.WRITES_PER_SECOND ?? 200)
const secondsOfWrites = Number(process.env.SECONDS_OF_WRITES ?? 15)
const banCount = 500
const firstNames = 'Robin,Alex,Sam,Kim,Jordan,Taylor,Casey,Morgan,Jamie,Riley,Quinn,Avery'.split(',')

const system = await startSystem({
  settings: { gateway: { RATE_LIMIT_API_KEY_PER_MINUTE: '100000000', LOG_LEVEL: 'warn' } },
})
try {
  const http = system.openGateway(0, { checked: false })
  const store = (await system.createStore()).through(http)
  const small = (await system.createStore()).through(http)
  await createBans(store)
  await fillCustomers(small.id, 0, 50)
  let filled = 0
  for (const size of sizes) {
    await fillCustomers(store.id, filled, size)
    filled = size
    print(`${size} customers, ${connections} connections, Node ${process.version}`)
    await measureRebuild(system, size)
    await printSize(size)
    await measureSearches(store, small, size)
    await measureEvents(store)
    await measureLag(store)
  }
} finally {
  await system.stop()
}

/** Inserts customers into the database of their service, because a million requests would take too long. */
async function fillCustomers(storeId: string, from: number, to: number): Promise<void> {
  await onServer(system.databaseUrlOf('customers'), async (client) => {
    for (let next = from; next < to; next += 10_000) {
      const part = Array.from({ length: Math.min(10_000, to - next) }, (_, n) => customerOf(next + n))
      await client.query(
        `insert into customer (store_id, steam_id, name, folded_name, search_text, created_at)
         select $1, steam_id, name, lower(name), lower(name), now()
         from unnest($2::bigint[], $3::text[]) part (steam_id, name)`,
        [storeId, part.map(({ steamId }) => steamId), part.map(({ name }) => name)],
      )
    }
    await client.query('vacuum analyze customer')
  })
}

async function createBans(store: TestStore): Promise<void> {
  for (let n = 0; n < banCount; n += 1) {
    const identities = [{ ban_type: 'email', ban_type_value: emailOf(n) }]
    const { status } = await store.post('/bans', { reason: `chargeback ${letters(n)}`, identities })
    if (status !== 201) throw new Error(`the ban returned ${status}`)
  }
  await whenSettled(system)
}

async function measureRebuild({ search }: System, size: number): Promise<void> {
  const { readMs, endMs, drifted, state } = await rebuildIndex(search.address)
  const rate = (ms: number) => `${(ms / 1000).toFixed(1)} s, ${Math.round((size / ms) * 1000)} documents/s`
  printFigure('rebuild, records read', rate(readMs))
  printFigure(`rebuild, ${state}`, `${rate(endMs)}, ${drifted} differ`)
}

async function printSize(size: number): Promise<void> {
  await onServer(system.databaseUrlOf('search'), async (client) => {
    const { rows } = await client.query<{ name: string; table: number; indexes: number }>(
      `select split_part(relname, '_', 1) as name, pg_table_size(oid)::float8 as table, pg_indexes_size(oid)::float8 as indexes
       from pg_class where relkind = 'r' and relname ~ '^(document|posting|vocabulary)_[0-9]+$' order by 1`,
    )
    const per = (bytes: number) => Math.round(bytes / size)
    for (const { name, table, indexes } of rows) {
      printFigure(`bytes per customer, ${name}`, `${per(table)} and ${per(indexes)} of indexes`)
    }
  })
}

async function measureSearches(store: TestStore, small: TestStore, size: number): Promise<void> {
  const known = (n: number) => customerOf(Math.floor(((n * 0.618) % 1) * size))
  const kinds: Record<string, (n: number) => string> = {
    'no query': () => '',
    'Steam id': (n) => known(n).steamId,
    email: (n) => emailOf(n % banCount),
    'word in 1 record': (n) => known(n).rare,
    'word in 1/10,000': (n) => known(n).clan,
    'word in 1/12': (n) => known(n).first,
    'word in all': () => 'player',
    'two words, one rare': (n) => `${known(n).first} ${known(n).clan}`,
    'two words, both common': (n) => `${known(n).first} player`,
    'two words, one in part': (n) => `${known(n).first} ${known(n).rare.slice(0, 4)}`,
    'prefix of 1/16': (n) => known(n).rare.slice(0, 2),
    'prefix of 1/256': (n) => known(n).rare.slice(0, 4),
    'prefix of 1 record': (n) => known(n).rare.slice(0, 10),
    'part of few records': (n) => known(n).rare.slice(3, 11),
    typo: (n) => known(n).rare.replace(/^(.{5})./, '$1y'),
    'no hit': (n) => `${letters(n * 7919)}qq${letters(n)}`,
  }
  for (const [kind, queryOf] of Object.entries(kinds)) {
    if (chosen && !chosen.some((one) => kind.startsWith(one))) continue
    printFigure(kind, await searchFor(store, queryOf))
    if (kind === 'word in all') printFigure(`${kind}, in a store of 50`, await searchFor(small, queryOf))
  }
}

/** Sends searches over all connections, each after the response to the previous one, and waits for those in flight. */
async function searchFor(store: TestStore, queryOf: (n: number) => string): Promise<string> {
  const times: number[] = []
  let sent = 0
  let failed = 0
  let hits = 0
  const end = performance.now() + secondsPerKind * 1000
  const worker = async () => {
    while (performance.now() < end) {
      const query = encodeURIComponent(queryOf(sent))
      sent += 1
      const started = performance.now()
      const found = await total(store, `?query=${query}`)
      times.push(performance.now() - started)
      if (Number.isNaN(found)) failed += 1
      else hits += found
    }
  }
  await Promise.all(Array.from({ length: connections }, worker))
  const mean = (hits / (sent - failed)).toFixed(0)
  return `${quantiles(times)}, ${sent} searches, ${mean} hits${failed > 0 ? `, ${failed} FAILED` : ''}`
}

/** The CPU time of the search service and its Postgres connections per new customer, without searches. */
async function measureEvents(store: TestStore): Promise<void> {
  const backends = () =>
    onServer(system.databaseUrlOf('search'), async (client) => {
      const { rows } = await client.query<{ pid: number }>(
        "select pid from pg_stat_activity where application_name like 'search%'",
      )
      return rows.map(({ pid }) => pid)
    })
  await write(store, 2)
  await whenSettled(system)
  const before = await backends()
  const cpu = () => ({ search: cpuTimeOf([system.search.pid]), postgres: cpuTimeOf(before) })
  const idleFrom = cpu()
  await pause(3000)
  const start = cpu()
  const started = performance.now()
  const count = (await write(store, secondsOfWrites)).length
  await whenSettled(system)
  const end = cpu()
  const seconds = (performance.now() - started) / 1000
  const cost = (part: 'search' | 'postgres') => {
    const idle = ((start[part] - idleFrom[part]) / 3) * seconds
    return `${part} ${((end[part] - start[part] - idle) / count).toFixed(3)}`
  }
  printFigure('CPU ms per indexed event', `${cost('search')}, ${cost('postgres')}`)
}

/** Measures every twentieth write: from its response to the first search that finds it. */
async function measureLag(store: TestStore): Promise<void> {
  const lags: number[] = []
  const watching: Promise<void>[] = []
  const written = await write(store, secondsOfWrites, (name, n) => {
    if (n % 20 === 0) watching.push(watch(name))
  })
  await Promise.all(watching)
  printFigure(
    `found after a write, at ${writesPerSecond} writes per second`,
    `${quantiles(lags)}, ${written.length} writes`,
  )

  async function watch(name: string): Promise<void> {
    const writtenAt = performance.now()
    await waitFor('the record to be found', async () => (await total(store, `?query=${name}`)) > 0, { everyMs: 5 })
    lags.push(performance.now() - writtenAt)
  }
}

async function write(
  store: TestStore,
  seconds: number,
  onWritten: (name: string, n: number) => void = () => {},
): Promise<unknown[]> {
  const writing: Promise<unknown>[] = []
  const started = performance.now()
  for (let n = 0; n < writesPerSecond * seconds; n += 1) {
    const dueAt = started + (n * 1000) / writesPerSecond
    if (dueAt > performance.now()) await pause(dueAt - performance.now())
    const name = `late${randomBytes(6).toString('hex')}`
    const steam_id = (76_561_199_000_000_000n + BigInt(randomBytes(4).readUInt32BE() >>> 1)).toString()
    writing.push(store.post('/customers', { name: `Robin ${name} player`, steam_id }).then(() => onWritten(name, n)))
  }
  return await Promise.all(writing)
}

/** A name of four words: in 1/12 of the records, in one, in 1/10,000, and in all. */
function customerOf(index: number) {
  const first = firstNames[index % firstNames.length] ?? ''
  const rare = letters(((index + 1) * 2654435761) >>> 0)
  const clan = `${letters((index % 10_000) * 6007).slice(4)}x`
  const steamId = (76_561_197_960_265_729n + BigInt(index) * 397n).toString()
  return { first, rare, clan, steamId, name: `${first} ${rare} ${clan} player` }
}

function emailOf(n: number): string {
  return `${letters(n * 104_729)}@mail.example.org`
}

/** A number as a pronounceable word of twelve letters. */
function letters(value: number): string {
  const syllables = ['ba', 'ko', 'mi', 'ru', 'te', 'sa', 'lo', 'ni', 'du', 'fe', 'ga', 'ho', 'pi', 'wu', 'xe', 'za']
  return [0, 4, 8, 12, 16, 20].map((shift) => syllables[(value >>> shift) & 15]).join('')
}

async function total(store: TestStore, query: string): Promise<number> {
  const { status, body } = await store.get<SearchBody>(`/dashboard/search${query}`)
  return status === 200 ? Object.values(body.facets).reduce((sum, count) => sum + count, 0) : Number.NaN
}

function printFigure(what: string, figure: string): void {
  print(`  ${what.padEnd(48)} ${figure}`)
}
