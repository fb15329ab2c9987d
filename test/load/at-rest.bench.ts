import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { forEachService, services } from '@storekeep/local/services'
import {
  couponTerms,
  type Memory,
  memoryOf,
  type ServiceProcess,
  startSystem,
  type TestStore,
} from '@storekeep/test/kit'
import { cpuTimeOf } from './cpu-time.ts'
import { type LoadRequest, sendAll } from './http-load.ts'
import { print } from './print.ts'
import { median } from './quantiles.ts'

/** Measures how soon each process is ready after its start, and how much memory it uses when idle and after load. */
const starts = Number(process.env.STARTS ?? 5)
const requests = Number(process.env.REQUESTS ?? 10_000)
const idleMs = Number(process.env.IDLE_MS ?? 10_000)

/** Other flags of Node for all processes, to compare. */
const { PRODUCT_NODE_OPTIONS } = process.env
const common = { LOG_LEVEL: 'info', ...(PRODUCT_NODE_OPTIONS !== undefined && { NODE_OPTIONS: PRODUCT_NODE_OPTIONS }) }
const system = await startSystem({
  settings: { ...forEachService(() => common), gateway: { ...common, RATE_LIMIT_API_KEY_PER_MINUTE: '100000000' } },
})
try {
  const [gateway] = system.gateways
  if (!gateway) throw new Error('The system has no gateway.')
  const processes: ServiceProcess[] = [...services.map(({ name }) => system[name]), gateway]
  const ready = new Map<string, Start[]>()
  for (let round = 0; round < starts; round += 1) {
    for (const one of processes) ready.set(one.name, [...(ready.get(one.name) ?? []), await measureStart(one)])
  }
  await pause(idleMs)
  const idle = memoryOfAll(processes)

  const store = await system.createStore()
  const url = gateway.url
  for (const make of await mixedLoad(store)) await sendAll({ url, count: requests, connections: 64, make })
  await pause(idleMs)
  const loaded = memoryOfAll(processes)
  const list = await largeList(store)
  await sendAll({ url, count: 200, connections: 4, make: () => list })
  const afterLists = memoryOfAll(processes)

  print(`${starts} starts of each process; ${requests} requests of each kind; memory in MiB`)
  print(row('process', ['ready', 'CPU', 'idle', 'PSS', 'loaded', 'lists', 'peak']))
  for (const { name } of processes) {
    const all = ready.get(name) ?? []
    const [rest, busy, lists] = [idle, loaded, afterLists].map((one) => one.get(name))
    print(
      row(name, [
        `${median(all.map(({ ms }) => ms)).toFixed(0)} ms`,
        `${median(all.map(({ cpuMs }) => cpuMs)).toFixed(0)} ms`,
        ...[rest?.resident, rest?.proportional, busy?.resident, lists?.resident, lists?.peak].map((mib) =>
          (mib ?? 0).toFixed(0),
        ),
      ]),
    )
  }
} finally {
  await system.stop()
}

async function measureStart(one: ServiceProcess): Promise<Start> {
  await one.kill('SIGKILL')
  const started = performance.now()
  await one.restart()
  return { ms: performance.now() - started, cpuMs: cpuTimeOf([one.pid]) }
}

function memoryOfAll(processes: readonly ServiceProcess[]): Map<string, Memory> {
  return new Map(processes.map(({ name, pid }) => [name, memoryOf(pid)]))
}

/** Writes, lists and reads by id. */
async function mixedLoad(store: TestStore): Promise<((index: number) => LoadRequest)[]> {
  const base = `/v1/stores/${store.id}`
  const headers = { authorization: `APIKey ${store.apiKey}`, 'content-type': 'application/json' }
  await Promise.all(
    Array.from({ length: 100 }, (_, index) => store.post('/coupons', { ...couponTerms, code: `LOAD${index}` })),
  )
  const { body } = await store.post<{ id: string }>('/customers', { steam_id: steamId(0), name: 'Robin' })
  return [
    (index) => ({
      method: 'POST',
      path: `${base}/customers`,
      headers,
      body: JSON.stringify({ steam_id: steamId(index + 1), name: `Robin ${index}` }),
    }),
    () => ({ method: 'GET', path: `${base}/coupons?limit=100`, headers }),
    () => ({ method: 'GET', path: `${base}/customers/${body.id}`, headers }),
  ]
}

/** A page of 100 customers with all the metadata that they may have: 2.5 MB. */
async function largeList(store: TestStore): Promise<LoadRequest> {
  const metadata = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`k${index}`, randomText(500)]))
  for (let index = 0; index < 100; index += 1)
    await store.post('/customers', { steam_id: steamId(10_000_000 + index), name: 'Robin', metadata })
  const headers = { authorization: `APIKey ${store.apiKey}` }
  return { method: 'GET', path: `/v1/stores/${store.id}/customers?limit=100`, headers }
}

function randomText(length: number): string {
  return randomBytes(length).toString('base64url').slice(0, length)
}

function steamId(index: number): string {
  return String(76_561_198_200_000_000n + BigInt(index))
}

function row(name: string, cells: readonly string[]): string {
  return name.padEnd(18) + cells.map((cell) => cell.padStart(9)).join('')
}

interface Start {
  ms: number
  /** CPU time until it was ready. */
  cpuMs: number
}
