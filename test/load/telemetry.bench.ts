import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type System, startSystem, type TestStore } from '@storekeep/test/kit'
import { cpuTimeOf } from './cpu-time.ts'
import { type LoadRequest, sendAll } from './http-load.ts'
import { print } from './print.ts'
import { median } from './quantiles.ts'

/**
 * Measures the cost of traces: systems that differ only in tracing get the same requests in alternation, in one run. Read
 * the ratios of CPU time per request: they are stable on a noisy machine, absolute figures are not.
 *
 * "off" is measured twice: any difference up to that between the two is noise. "0 %" loads the whole instrumentation and
 * makes a sampling decision for every request, but records nothing.
 */
const blocks = Number(process.env.BLOCKS ?? 7)
const turns = Number(process.env.TURNS ?? 10)
const perTurn = Number(process.env.REQUESTS ?? 200)
const warmUp = Number(process.env.WARM_UP ?? 10_000)
const connections = Number(process.env.CONNECTIONS ?? 32)

/** Long timeouts, so that a busy machine does not spoil a round. */
const patient = { REQUEST_TIMEOUT_MS: '15000' }

/** Accepts and discards everything, since the cost of a collector is not measured. */
const collector = createServer((request, response) => {
  request.resume().once('end', () => response.end())
})
await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve))
const endpoint = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`
const exporter = { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint }

const sides: Side[] = []
try {
  sides.push(await startSide('off', {}))
  sides.push(await startSide('off again', {}))
  sides.push(await startSide('0 %', { ...exporter, OTEL_TRACES_SAMPLER_ARG: '0' }))
  sides.push(await startSide('10 %', { ...exporter, OTEL_TRACES_SAMPLER_ARG: '0.1' }))
  sides.push(await startSide('100 %', { ...exporter, OTEL_TRACES_SAMPLER_ARG: '1' }))
  print(`${blocks} times ${turns} turns of ${perTurn} requests, ${connections} connections`)
  for (const kind of ['W1 customer by id', 'W2 create customer'] as const) await compare(kind)
} finally {
  for (const side of sides) await side.system.stop()
  collector.close()
}

async function compare(kind: Kind): Promise<void> {
  // Long, because code that only a tenth of the requests runs is compiled late and is several times slower until then.
  for (const side of sides) await send(side, kind, warmUp)
  const measured: Measured[][] = []
  for (let block = 0; block < blocks; block += 1) measured.push(await measureBlock(kind))
  for (const [index, { name }] of sides.entries()) {
    const all = measured.flatMap((block) => block[index] ?? [])
    const ratios = all.map(({ ratio }) => ratio)
    const spread = `${Math.min(...ratios).toFixed(3)} to ${Math.max(...ratios).toFixed(3)}`
    print(
      `${kind}, traces ${name}: ${median(ratios).toFixed(3)} × the CPU of off (${spread}), ${median(all.map((one) => one.cpuMs)).toFixed(3)} ms, ${median(all.map((one) => one.perSecond)).toFixed(0)}/s`,
    )
  }
}

/**
 * Uses many short turns, so that other load on the machine affects all sides alike. The cost above "off" counts
 * from the first turn to the last, not only in a side's own turns, because spans are sent up to a second later. The cost of
 * idle sides is the same for all and cancels out.
 */
async function measureBlock(kind: Kind): Promise<Measured[]> {
  const before = sides.map(({ pids }) => cpuTimeOf(pids))
  const own = sides.map(() => ({ cpuMs: 0, seconds: 0 }))
  for (let turn = 0; turn < turns; turn += 1) {
    // The first side changes, so that no side always follows the same one.
    const order = own.map((_, position) => (turn + position) % sides.length)
    for (const index of order) await takeTurn(sides[index] as Side, kind, own[index] as OwnTurns)
  }
  const spent = sides.map(({ pids }, index) => cpuTimeOf(pids) - (before[index] ?? 0))
  const [offSpent = 0] = spent
  const offOwn = own[0]?.cpuMs ?? Number.NaN
  const count = turns * perTurn
  return own.map(({ cpuMs, seconds }, index) => ({
    ratio: 1 + ((spent[index] ?? 0) - offSpent) / offOwn,
    cpuMs: cpuMs / count,
    perSecond: count / seconds,
  }))
}

async function takeTurn(side: Side, kind: Kind, own: OwnTurns): Promise<void> {
  const before = cpuTimeOf(side.pids)
  own.seconds += await send(side, kind, perTurn)
  own.cpuMs += cpuTimeOf(side.pids) - before
}

/** Starts the gateway and the services that a request uses, including search, which indexes the events of writes. */
async function startSide(name: string, tracing: Record<string, string>): Promise<Side> {
  const settings = { LOG_LEVEL: 'info', ...tracing }
  const system = await startSystem({
    only: ['stores', 'customers', 'search'],
    settings: {
      gateway: { ...settings, ...patient, RATE_LIMIT_API_KEY_PER_MINUTE: '100000000' },
      stores: settings,
      customers: settings,
      search: settings,
    },
  })
  const store = await system.createStore()
  const { body } = await store.post<{ id: string }>('/customers', { name: 'Robin' })
  const pids = [system.gateways[0], system.stores, system.customers, system.search].map((one) => one?.pid ?? 0)
  return { name, system, store, customerId: body.id, url: system.gateways[0]?.url ?? '', pids }
}

/** @returns how many seconds it took */
async function send(side: Side, kind: Kind, count: number): Promise<number> {
  const result = await sendAll({ url: side.url, count, connections, make: () => requestOf(side, kind) })
  // On a busy machine some requests time out. More than a few would make the work incomparable.
  if (result.failed > count / 50) throw new Error(`${result.failed} of ${count} requests did not return 200.`)
  return count / result.perSecond
}

function requestOf({ store, customerId }: Side, kind: Kind): LoadRequest {
  const path = `/v1/stores/${store.id}/customers`
  const headers = { authorization: `APIKey ${store.apiKey}` }
  if (kind === 'W1 customer by id') return { method: 'GET', path: `${path}/${customerId}`, headers }
  const body = JSON.stringify({ name: `Robin ${randomBytes(8).toString('hex')}` })
  return { method: 'POST', path, headers: { ...headers, 'content-type': 'application/json' }, body }
}

type Kind = 'W1 customer by id' | 'W2 create customer'

interface Side {
  name: string
  system: System
  store: TestStore
  customerId: string
  url: string
  pids: number[]
}

interface OwnTurns {
  cpuMs: number
  seconds: number
}

/** CPU time covers all processes of a side. */
interface Measured {
  /** CPU time relative to "off". */
  ratio: number
  /** Per request, in its own turns. */
  cpuMs: number
  /** In its own turns. */
  perSecond: number
}
