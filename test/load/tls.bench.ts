import { readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { type System, startSystem, type TestStore, waitFor } from '@storekeep/test/kit'
import { createSystemTls } from '@storekeep/test/kit/tls'
import { cpuTimeOf } from './cpu-time.ts'
import { type LoadRequest, sendAll } from './http-load.ts'
import { print } from './print.ts'
import { median } from './quantiles.ts'

/**
 * Compares the CPU time of requests with and without TLS between the processes, in alternation. Then replaces every
 * certificate and the CA under load, during which no request may fail.
 */
const rounds = Number(process.env.ROUNDS ?? 7)
const perRound = Number(process.env.REQUESTS ?? 3000)
const connections = 32
/** Older connections between processes have been closed (`createGrpcServer`). */
const connectionAgeMs = 35_000

const quiet = { LOG_LEVEL: 'info' }
const settings = { gateway: { RATE_LIMIT_API_KEY_PER_MINUTE: '100000000', ...quiet }, stores: quiet, customers: quiet }
const only = ['stores', 'customers'] as const
const tls = await createSystemTls()
const systems = {
  plain: await startSystem({ only, settings }),
  tls: await startSystem({ only, settings, tls }),
}
try {
  const kinds = { plain: await describeKinds(systems.plain), tls: await describeKinds(systems.tls) }
  for (const kind of ['W1 customer by id', 'W2 create customer', 'W3 who am I'] as const) {
    const cpuMs: Record<'plain' | 'tls', number[]> = { plain: [], tls: [] }
    for (const side of ['plain', 'tls'] as const) await measure(systems[side], kinds[side][kind], 1000)
    for (let round = 0; round < rounds; round += 1) {
      for (const side of ['plain', 'tls'] as const) {
        cpuMs[side].push(await measure(systems[side], kinds[side][kind], perRound))
      }
    }
    const ratio = median(cpuMs.tls.map((one, index) => one / (cpuMs.plain[index] ?? Number.NaN)))
    const figures = `plain ${median(cpuMs.plain).toFixed(3)} ms, TLS ${median(cpuMs.tls).toFixed(3)} ms`
    print(`${kind}: ${ratio.toFixed(2)} × (${figures} CPU per request)`)
  }
  print(await rotateUnderLoad(systems.tls, kinds.tls['W1 customer by id']))
} finally {
  await Promise.all([systems.plain.stop(), systems.tls.stop()])
  tls.remove()
}

async function measure(system: System, make: () => LoadRequest, count: number): Promise<number> {
  const pids = processesOf(system).map(({ pid }) => pid)
  const before = cpuTimeOf(pids)
  const { failed } = await sendAll({ url: system.gateways[0]?.url ?? '', count, connections, make })
  if (failed > 0) throw new Error(`${failed} of ${count} requests did not return 200.`)
  return (cpuTimeOf(pids) - before) / count
}

async function rotateUnderLoad(system: System, make: () => LoadRequest): Promise<string> {
  let isOver = false
  let sent = 0
  let failed = 0
  const load = (async () => {
    while (!isOver) {
      const result = await sendAll({ url: system.gateways[0]?.url ?? '', count: 200, connections: 4, make })
      sent += 200
      failed += result.failed
    }
  })()
  const steps = await tls.prepareRotation()
  for (const [index, step] of steps.entries()) {
    step()
    await waitFor('every process to load it', async () =>
      processesOf(system).every(({ logFile }) => changesIn(logFile) === index + 1),
    )
    await wait(connectionAgeMs)
  }
  isOver = true
  await load
  return `Every certificate and the CA changed in ${steps.length} steps: ${failed} of ${sent} requests failed.`
}

function changesIn(logFile: string): number {
  return readFileSync(logFile, 'utf8').split('"certificate changed"').length - 1
}

function processesOf({ gateways, stores, customers }: System) {
  return [...gateways, stores, customers]
}

async function describeKinds(system: System) {
  const store: TestStore = await system.createStore()
  const { body: customer } = await store.post<{ id: string }>('/customers', { name: 'Robin' })
  const { body: issued } = await store.post<{ token: string }>(`/customers/${customer.id}/tokens`, undefined)
  const base = `/v1/stores/${store.id}/customers`
  const key = { authorization: `APIKey ${store.apiKey}` }
  const player = { authorization: `Customer ${issued.token}`, 'x-service-store-id': store.id }
  let count = 0
  return {
    'W1 customer by id': () => ({ method: 'GET', path: `${base}/${customer.id}`, headers: key }),
    'W2 create customer': () => {
      count += 1
      const body = JSON.stringify({ steam_id: String(76_561_198_000_000_000n + BigInt(count)) })
      return { method: 'POST', path: base, headers: { ...key, 'content-type': 'application/json' }, body }
    },
    'W3 who am I': () => ({ method: 'GET', path: '/v1/store/customer', headers: player }),
  }
}
