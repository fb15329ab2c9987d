import {
  backOff,
  fresh,
  report,
  type ServiceProcess,
  type System,
  startSystem,
  type TestStore,
  waitFor,
} from '@storekeep/test/kit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectStopToFinishRequest } from './stop-in-flight.ts'

let system: System
let store: TestStore
beforeAll(async () => {
  // How long a load balancer has to notice that a gateway is no longer ready.
  const settings = { RATE_LIMIT_API_KEY_PER_MINUTE: '100000000', SHUTDOWN_DELAY_MS: '1000' }
  system = await startSystem({ only: ['stores', 'customers'], gateways: [settings, settings] })
  store = await system.createStore()
})
afterAll(() => system.stop())

/** Goal 7, on one machine: clients do not notice a rolling restart. */
describe.each(['gateway', 'customers', 'stores'] as const)('SIGTERM to the %s process', (name) => {
  it('finishes the request in flight, accepts no new ones, and exits with code 0', async () => {
    const stopped = processOf(name)
    await expectStopToFinishRequest(system, store, stopped, async () => {
      if (name === 'gateway') await waitFor('new connections to fail', () => refusesConnections(stopped))
    })
  })
})

it('fails no request of a load balancer that respects readiness when a gateway stops under load', async () => {
  const [first] = system.gateways
  if (!first) throw new Error('The test needs a gateway.')
  const shop = store.through(system.openGateway(0, { checked: false }))
  const spare = store.through(system.openGateway(1, { checked: false }))
  const counts = { succeeded: 0, 'sent to the spare': 0 }
  const broken: string[] = []
  let isReady = true
  let isOver = false

  async function watchReadiness(): Promise<void> {
    for (; !isOver; await backOff()) isReady = await isReadyNow(first)
  }

  async function load(): Promise<void> {
    while (!isOver) {
      if (!isReady) counts['sent to the spare'] += 1
      const response = await (isReady ? shop : spare).get('/customers?limit=1', { headers }).catch(String)
      if (typeof response !== 'string' && response.status === 200) counts.succeeded += 1
      else broken.push(typeof response === 'string' ? response : `${response.status} ${response.text}`)
    }
  }

  async function more(count: number): Promise<void> {
    const goal = counts.succeeded + count
    await waitFor('more successful responses', () => counts.succeeded >= goal)
  }

  const running = Promise.all([watchReadiness(), ...Array.from({ length: 3 }, load)])
  for (let round = 0; round < 2; round++) {
    await more(100)
    await first.kill('SIGTERM')
    expect(await first.exited()).toEqual({ code: 0, signal: null })
    await more(50)
    await first.restart()
    await waitFor('the balancer to notice', () => isReady)
  }
  await more(100)
  isOver = true
  await running
  report('graceful stop under load', { ...counts, broken: broken.length })
  expect(broken).toEqual([])
})

it('returns nothing but 200 and 503 when the customers service stops under load', async () => {
  const shop = store.through(system.openGateway(0, { checked: false }))
  const statuses = new Map<number, number>()
  let isOver = false

  async function load(): Promise<void> {
    while (!isOver) {
      const { status } = await shop.post('/customers', { name: fresh.name() })
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
      if (status === 503) await backOff()
    }
  }

  async function more(status: number, count: number): Promise<void> {
    const goal = (statuses.get(status) ?? 0) + count
    await waitFor(`${count} more responses with status ${status}`, () => (statuses.get(status) ?? 0) >= goal)
  }

  const running = Promise.all(Array.from({ length: 3 }, load))
  for (let round = 0; round < 2; round++) {
    await more(200, 100)
    await system.customers.kill('SIGTERM')
    expect(await system.customers.exited()).toEqual({ code: 0, signal: null })
    await more(503, 10)
    await system.customers.restart()
  }
  await more(200, 50)
  isOver = true
  await running
  report('customers stopped under load', Object.fromEntries(statuses))
  expect([...statuses.keys()].sort()).toEqual([200, 503])
})

/** A new connection for each request. */
const headers = { connection: 'close' }

function processOf(name: 'gateway' | 'customers' | 'stores'): ServiceProcess {
  const process = name === 'gateway' ? system.gateways[0] : system[name]
  if (!process) throw new Error(`No process ${name}.`)
  return process
}

async function isReadyNow(gateway: ServiceProcess | undefined): Promise<boolean> {
  return await fetch(`${gateway?.url}/readyz`, { headers }).then(
    ({ ok }) => ok,
    () => false,
  )
}

async function refusesConnections({ url }: ServiceProcess): Promise<boolean> {
  try {
    await fetch(`${url}/healthz`, { headers })
    return false
  } catch (error) {
    return isConnectionRefused(error)
  }
}

function isConnectionRefused(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return ('code' in error && error.code === 'ECONNREFUSED') || isConnectionRefused(error.cause)
}
