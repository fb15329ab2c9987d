import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { forEachService } from '@storekeep/local/services'
import {
  memoryOf,
  onServer,
  openStore,
  type StoreIdentity,
  type System,
  startSystem,
  type TestStore,
} from '@storekeep/test/kit'
import { ownServers } from './cpu-time.ts'
import { fillCustomers } from './fill-customers.ts'
import { startFloor } from './floor.ts'
import { type Measured, measure, type Side, warmUp } from './measure.ts'
import { print } from './print.ts'
import { median } from './quantiles.ts'
import { createCoupons, createProducts, describeKinds, type Kind } from './request-kinds.ts'
import { whenSettled } from './when-settled.ts'

/**
 * Compares the product with a minimal server (the floor): both get the same requests in alternation, in one run. Read the
 * ratios of CPU time per request: they are stable on a noisy machine, absolute figures are not.
 *
 * The CPU time of a request includes all our processes, until the events of the requests are published and indexed.
 * "asynchronous" is the part that no caller waits for: processes that take no part in the response, and all work after the
 * last response. Both sides are warm: a kind is measured when its cost no longer falls.
 */
const rounds = Number(process.env.ROUNDS ?? 4)
const concurrencies = (process.env.CONNECTIONS ?? '32,128').split(',').map(Number)
const customers = Number(process.env.CUSTOMERS ?? 100_000)
/** Scales the number of requests per round. */
const scale = Number(process.env.SCALE ?? 1)
const warmth = { seconds: Number(process.env.WARM_UP_SECONDS ?? 8), batch: 1500 * scale }
/** The requests to measure, "W2,W4"; all by default. */
const chosen = process.env.KINDS?.split(',')
/** A folder for a CPU profile of each process (.cpuprofile). */
const profiles = process.env.PROFILES
/** A folder to keep the servers' data in: the next run with it measures the same customers. ROUNDS=0 only fills it. */
const kept = process.env.KEEP_DATA ? resolve(process.env.KEEP_DATA) : undefined
/** "write" records the ratios as the new baseline. Otherwise a ratio of more than 1.25 × its baseline fails the run. */
const writesBaseline = process.env.BASELINE === 'write'
const baselineFile = new URL('requests.baseline.json', import.meta.url)

const common = {
  LOG_LEVEL: 'info',
  ...(profiles !== undefined && { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${profiles}` }),
}
const servers = ownServers()
const system = await startSystem({
  schemas: ['floor'],
  kept,
  settings: {
    ...forEachService(() => common),
    gateway: { ...common, RATE_LIMIT_API_KEY_PER_MINUTE: '100000000' },
  },
})
try {
  // The customers are not in the index, so a verification would report each of them and cost as much as the requests.
  await onServer(system.address.adminUrl, (client) =>
    client.query(`update search.next_check set due_at = now() + interval '1 day'`),
  )
  const store = await filledStore(system)
  const ids = await chooseIds(system, store.id)
  const floor = await startFloor(system, store.id, await createCoupons(store))
  await createProducts(store)
  const pids = { gateway: system.gateways[0]?.pid ?? 0, ...forEachService((name) => system[name].pid) }
  const sides: Record<SideName, Side> = {
    floor: { url: floor.url, pids: { floor: floor.pid } },
    product: { url: system.gateways[0]?.url ?? '', pids, settled: () => whenSettled(system) },
  }
  const kinds = (await describeKinds(store, ids, floor.tokenOf)).filter(
    ({ name }) => chosen?.some((one) => name.startsWith(one)) ?? true,
  )
  print(`${rounds} rounds, ${concurrencies.join(' and ')} connections, ${customers} customers, Node ${process.version}`)
  print(`resident, before the load: ${resident(pids)}`)
  const baseline = JSON.parse(readFileSync(baselineFile, 'utf8')) as Record<string, number>
  for (const kind of rounds > 0 ? kinds : []) {
    for (const name of ['floor', 'product'] as const) await warmUp(sides[name], kind[name], { servers, ...warmth })
    for (const connections of concurrencies) {
      const name = `${kind.name}, ${connections} connections`
      const ratio = report(name, await alternate(sides, kind, connections), baseline[name])
      if (writesBaseline) baseline[name] = Number(ratio.toFixed(2))
    }
  }
  print(`resident, after load: ${resident(pids)}`)
  if (writesBaseline) writeFileSync(baselineFile, `${JSON.stringify(baseline, null, 2)}\n`)
  await floor.stop()
} finally {
  await system.stop()
}

async function alternate(sides: Record<SideName, Side>, kind: Kind, connections: number): Promise<Round[]> {
  const count = kind.count * scale
  const results: Round[] = []
  for (let round = 0; round < rounds; round += 1) {
    // The floor's requests are so cheap that a round needs twice as many.
    const floor = await measure(sides.floor, kind.floor, { count: count * 2, connections, servers })
    results.push({ floor, product: await measure(sides.product, kind.product, { count, connections, servers }) })
  }
  return results
}

/** Prints a kind's figures and returns its ratio. */
function report(name: string, all: readonly Round[], baseline: number | undefined): number {
  const ratios = all.map(({ floor, product }) => product.cpuMs / floor.cpuMs).toSorted((a, b) => a - b)
  const ratio = median(ratios)
  const asynchronous = median(all.map(({ floor, product }) => product.asynchronousMs / floor.cpuMs))
  const compared = baseline === undefined ? 'no baseline' : `baseline ${baseline}`
  const spread = `${ratios[0]?.toFixed(2)} to ${ratios.at(-1)?.toFixed(2)}`
  print(`${name}: ${ratio.toFixed(2)} × floor (${spread}; ${compared}), of it asynchronous ${asynchronous.toFixed(2)}`)
  for (const side of ['floor', 'product'] as const)
    print(
      sideLine(
        side,
        all.map((round) => round[side]),
      ),
    )
  if (baseline !== undefined && ratio > baseline * 1.25 && !writesBaseline) {
    print(`  FAILED: more than 1.25 × the baseline.`)
    process.exitCode = 1
  }
  return ratio
}

function sideLine(side: SideName, all: readonly Measured[]): string {
  const of = (pick: (one: Measured) => number) => median(all.map(pick))
  const parts = [...(all[0]?.parts.keys() ?? [])].flatMap((part) => {
    const ms = of((one) => one.parts.get(part) ?? 0)
    return ms < 0.001 ? [] : [`${part} ${ms.toFixed(3)}`]
  })
  const cpu = `${of((one) => one.cpuMs).toFixed(3)} ms CPU (${parts.join(', ')})`
  const latency = `p50 ${of((one) => one.p50).toFixed(1)} ms, p99 ${of((one) => one.p99).toFixed(1)} ms`
  return `  ${side.padEnd(8)} ${cpu}, ${of((one) => one.perSecond).toFixed(0)}/s, ${latency}, ${of((one) => one.bytes).toFixed(0)} bytes`
}

function resident(pids: Readonly<Record<string, number>>): string {
  return Object.entries(pids)
    .map(([name, pid]) => `${name} ${memoryOf(pid).resident.toFixed(0)}`)
    .join(', ')
    .concat(' MiB')
}

/** A store with the wanted number of customers: new, or from the kept data. */
async function filledStore({ createStore, databaseUrlOf, http }: System): Promise<TestStore> {
  const file = kept ? join(kept, `store-of-${customers}.json`) : ''
  if (existsSync(file)) return openStore(http, JSON.parse(readFileSync(file, 'utf8')) as StoreIdentity)
  const store = await createStore()
  await fillCustomers(databaseUrlOf('customers'), store.id, customers)
  const { id, slug, game, apiKey, apiKeyId } = store
  if (kept) writeFileSync(file, JSON.stringify({ id, slug, game, apiKey, apiKeyId }), { mode: 0o600 })
  return store
}

/** The ids of 100,000 customers, spread over the whole table. */
async function chooseIds({ databaseUrlOf }: System, storeId: string): Promise<string[]> {
  return onServer(databaseUrlOf('customers'), async (client) => {
    await client.query('set statement_timeout = 0')
    const { rows } = await client.query<{ id: string }>(
      `select id::text from (select id, row_number() over (order by id) n from customer where store_id = $1) numbered
       where n % greatest(1, $2 / 100000) = 0 limit 100000`,
      [storeId, customers],
    )
    return rows.map(({ id }) => id)
  })
}

type SideName = 'floor' | 'product'
type Round = Record<SideName, Measured>
