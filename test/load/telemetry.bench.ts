import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type System, startSystem, type TestStore } from '@storekeep/test/kit'
import { cpuTimeOf } from './cpu-time.ts'
import { type LoadRequest, sendAll } from './http-load.ts'
import { print } from './print.ts'
import { median } from './quantiles.ts'

/**
 * What traces cost: the same requests to systems that differ in nothing else, in turns, in one run. Read the ratios of
 * processor time per request; they hold on a noisy machine, where absolute figures do not.
 */
const rounds = Number(process.env.ROUNDS ?? 7)
const perRound = Number(process.env.REQUESTS ?? 2000)
const warmUp = Number(process.env.WARM_UP ?? 10_000)
const connections = Number(process.env.CONNECTIONS ?? 32)

/** So that a busy machine spoils no round. */
const patient = { REQUEST_TIMEOUT_MS: '15000', CREDENTIAL_TIMEOUT_MS: '15000' }

/** Takes everything and looks at nothing: what a collector costs is not our cost. */
const collector = createServer((request, response) => {
  request.resume().once('end', () => response.end())
})
await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve))
const endpoint = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`
const whereto = { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint }

const sides: Side[] = []
try {
  sides.push(await startSide('off', {}))
  sides.push(await startSide('10 %', { ...whereto, OTEL_TRACES_SAMPLER_ARG: '0.1' }))
  sides.push(await startSide('100 %', { ...whereto, OTEL_TRACES_SAMPLER_ARG: '1' }))
  print(`${rounds} rounds of ${perRound} requests, ${connections} connections`)
  for (const kind of ['W1 customer by id', 'W2 create customer'] as const) await compare(kind)
} finally {
  for (const side of sides) await side.system.stop()
  collector.close()
}

async function compare(kind: Kind): Promise<void> {
  const results = new Map<Side, Measured[]>(sides.map((side) => [side, []]))
  // Long: code that a tenth of the requests runs is compiled late, and costs four times as much until then.
  for (const side of sides) await measure(side, kind, warmUp)
  for (let round = 0; round < rounds; round += 1) {
    // Who begins changes, so that nobody always follows the same other.
    const order = sides.map((_, index) => sides[(index + round) % sides.length] as Side)
    for (const side of order) results.get(side)?.push(await measure(side, kind, perRound))
  }
  const [off] = sides
  for (const [side, all] of results) {
    const ratios = all.map(({ cpuMs }, round) => cpuMs / ((off && results.get(off)?.[round]?.cpuMs) || Number.NaN))
    const cpuMs = median(all.map((one) => one.cpuMs))
    const perSecond = median(all.map((one) => one.perSecond))
    print(
      `${kind}, traces ${side.name}: ${cpuMs.toFixed(3)} ms CPU (${median(ratios).toFixed(3)} × off), ${perSecond.toFixed(0)}/s`,
    )
  }
}

/** Gateway and the services of the request; for a write the index too, to which its event goes. */
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

async function measure(side: Side, kind: Kind, count: number): Promise<Measured> {
  const before = cpuTimeOf(side.pids)
  const result = await sendAll({ url: side.url, count, connections, make: () => requestOf(side, kind) })
  // A machine that is busy with other things lets some run out of time; more than a few would not be the same work.
  if (result.failed > count / 50) throw new Error(`${result.failed} of ${count} requests were not answered 200.`)
  return { perSecond: result.perSecond, cpuMs: (cpuTimeOf(side.pids) - before) / count }
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

interface Measured {
  perSecond: number
  /** Per request, of all its processes. */
  cpuMs: number
}
