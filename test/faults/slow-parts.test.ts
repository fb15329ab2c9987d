import { setTimeout as pause } from 'node:timers/promises'
import { startTcpProxy, type TcpProxy } from '@storekeep/common/testing'
import {
  type CustomerBody,
  fresh,
  type HttpResponse,
  report,
  type System,
  scaled,
  startSystem,
  type TestStore,
  waitFor,
} from '@storekeep/test/kit'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type CarelessProxy, startCarelessProxy } from './careless-proxy.ts'
import { lockAllCustomers } from './row-lock.ts'

let redis: TcpProxy
let proxy: CarelessProxy
let system: System
let store: TestStore
let customerId: string
beforeAll(async () => {
  redis = await startTcpProxy(process.env.TEST_REDIS_URL ?? '')
  proxy = await startCarelessProxy({ ignoresCancellation: true })
  const usual = {
    // Generous for a busy machine: the tests look for additional delays.
    REQUEST_TIMEOUT_MS: '10000',
    RATE_LIMIT_API_KEY_PER_MINUTE: '100000000',
    RATE_LIMIT_SIGN_IN_ADDRESS_PER_MINUTE: '1000000',
    RATE_LIMIT_SIGN_IN_STORE_PER_MINUTE: String(signInsPerMinute),
    LOG_LEVEL: 'warn',
  }
  system = await startSystem({
    only: ['stores', 'customers'],
    gateways: [
      usual,
      { ...usual, REDIS_URL: redis.url },
      // Negative control: waits long for Redis, and has no limit of sign-ins.
      { ...usual, REDIS_URL: redis.url, REDIS_TIMEOUT_MS: '2000', RATE_LIMIT_SIGN_IN_STORE_PER_MINUTE: '1000000' },
      { ...usual, CUSTOMERS_ADDRESS: proxy.address },
    ],
    settings: { customers: { REDIS_URL: redis.url, LOG_LEVEL: 'warn' } },
  })
  proxy.connect(system.customers.address)
})
afterAll(async () => {
  await system?.stop()
  await proxy?.stop()
  await redis?.close()
})
beforeEach(async () => {
  store = await system.createStore({ game: 'minecraft_offline' })
  customerId = await newCustomer()
})

const gateways = { healthy: 0, slow: 1, waiting: 2, careless: 3 }
const signInsPerMinute = 20

/**
 * Goal 11. The delay is compared with a gateway that has a healthy Redis and gets the same requests at the same time. The
 * means are compared, because on a busy machine the slowest requests are slow for other reasons; the p99 is reported.
 */
describe('while Redis is slow or unresponsive', () => {
  it('management calls succeed, and wait for it less than the command timeout', async () => {
    const runs = [gateways.healthy, gateways.slow, gateways.waiting].map(openRun)
    const [healthy, slow, waiting] = runs as [Run, Run, Run]
    const sendIn = async (set: () => void, isOver: () => boolean) => {
      set()
      await Promise.all(runs.map((run) => run.sendUntil(isOver)))
    }
    for (const ms of [2, 20, 45, 200]) {
      const goal = slow.durations.length + scaled(100)
      await sendIn(
        () => redis.delay(ms),
        () => Math.min(slow.durations.length, healthy.durations.length) >= goal,
      )
    }
    const resumeAt = performance.now() + pauseMs
    await sendIn(
      () => redis.stall(),
      () => performance.now() > resumeAt,
    )
    redis.pass()
    const p99 = (run: Run) => quantile(run.durations, 0.99)
    report('slow Redis', {
      requests: slow.durations.length,
      failed: slow.failures.length,
      'added ms': addedMs(slow, healthy).toFixed(0),
      'of the negative control': addedMs(waiting, healthy).toFixed(0),
      'p99 without': p99(healthy).toFixed(0),
      'p99 with': p99(slow).toFixed(0),
      'p99 of the negative control': p99(waiting).toFixed(0),
    })
    expect(slow.failures).toEqual([])
    expect(addedMs(slow, healthy)).toBeLessThan(commandTimeoutMs)
    expect(addedMs(waiting, healthy)).toBeGreaterThan(commandTimeoutMs)
    expect(p99(slow)).toBeLessThan(p99(waiting))
  })

  it('limits still hold', async () => {
    redis.stall()
    const granted = async (gateway: number) => {
      const shop = store.through(system.openGateway(gateway))
      const json = () => ({ platform: 'minecraft', id: fresh.name() })
      const send = () => shop.shop('POST', '/store/customer/auth', { json: json() })
      const responses = await Promise.all(Array.from({ length: 3 * signInsPerMinute }, send))
      expect(responses.filter(({ status }) => status !== 200 && status !== 429).map(({ text }) => text)).toEqual([])
      return responses.filter(({ status }) => status === 200).length
    }
    const counts = { limited: await granted(gateways.slow), unlimited: await granted(gateways.waiting) }
    redis.pass()
    report('limits without Redis', { 'per minute': signInsPerMinute, ...counts })
    expect(counts.limited).toBe(signInsPerMinute)
    expect(counts.unlimited).toBeGreaterThan(signInsPerMinute)
  })
})

/**
 * Goal 18. The order of two events takes the place of a time limit: a statement waits up to 2 s for a lock, so a canceled
 * statement ends before a statement that began to wait earlier.
 */
it.each([
  ['a write', 'PATCH', (id: string) => `/${id}`],
  ['a search', 'GET', () => '?search=late'],
])('%s ends when its client leaves, even while it waits for a lock', async (what, method, pathOf) => {
  const names: string[] = []
  const send = async (gateway: number, signal?: AbortSignal) => {
    const name = fresh.name()
    names.push(name)
    const url = `${system.gateways[gateway]?.url}/v1/stores/${store.id}/customers${pathOf(customerId)}`
    const headers = { authorization: `APIKey ${store.apiKey}`, 'content-type': 'application/json' }
    const body = method === 'PATCH' ? JSON.stringify({ name }) : null
    await fetch(url, { method, headers, body, signal: signal ?? null }).catch(() => undefined)
  }
  const ended = await leaveWhileLocked((signal) => send(gateways.healthy, signal))
  expect((await store.get<CustomerBody>(`/customers/${customerId}`)).body.name).not.toBe(names[1])
  const ofControl = await leaveWhileLocked((signal) => send(gateways.careless, signal))
  report(`client of ${what} left`, {
    'ms until the statement ended': ended.ms,
    'of the negative control': ofControl.ms,
  })
  expect(ended.isEarlier).toBe(true)
  expect(ofControl.isEarlier).toBe(false)
})

/**
 * Sends the same request twice while all customers are locked, and cancels the second.
 * @returns whether the second request's statement ended before the first's, and how long that took
 */
async function leaveWhileLocked(
  send: (signal?: AbortSignal) => Promise<void>,
): Promise<{ isEarlier: boolean; ms: string }> {
  const lock = await lockAllCustomers(system.address.adminUrl)
  const patient = send()
  const [ofPatient = ''] = await lock.waiting(1)
  const client = new AbortController()
  const leaving = send(client.signal)
  const ofLeaving = (await lock.waiting(2)).find((one) => one !== ofPatient) ?? ''
  client.abort()
  const leftAt = performance.now()
  await waitFor('the statement to end', async () => !(await lock.waiters()).includes(ofLeaving))
  const ms = (performance.now() - leftAt).toFixed(0)
  const isEarlier = (await lock.waiters()).includes(ofPatient)
  await lock.release()
  await Promise.all([patient, leaving])
  return { isEarlier, ms }
}

const commandTimeoutMs = 50
/** 60 s at full scale. */
const pauseMs = Math.min(60_000, scaled(60_000))

interface Run {
  durations: number[]
  /** The responses that were not successful. */
  failures: string[]
  /** Sends one request after another, with a short pause in between. */
  sendUntil(isOver: () => boolean): Promise<void>
}

function openRun(gateway: number): Run {
  const through = store.through(system.openGateway(gateway, { checked: false }))
  const calls: (() => Promise<HttpResponse>)[] = [
    () => through.get(`/customers/${customerId}`),
    () => through.get('/customers?limit=5'),
    () => through.patch(`/customers/${customerId}`, { name: fresh.name() }),
    () => through.get(`/customers/lookup?id=${customerId}`),
    () => through.delete(`/customers/${customerId}/tokens`),
  ]
  const run: Run = {
    durations: [],
    failures: [],
    async sendUntil(isOver) {
      for (let sent = 0; !isOver(); sent += 1) {
        const startedAt = performance.now()
        const response = await calls[sent % calls.length]?.()
        run.durations.push(performance.now() - startedAt)
        if (response && response.status >= 300) run.failures.push(`${response.status} ${response.text}`)
        await pause(20)
      }
    },
  }
  return run
}

/** The mean delay compared with another run. */
function addedMs(run: Run, other: Run): number {
  const [mean = 0, ofOther = 0] = [run, other].map(({ durations }) => {
    return durations.reduce((sum, ms) => sum + ms, 0) / durations.length
  })
  return mean - ofOther
}

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

async function newCustomer(): Promise<string> {
  const { status, body } = await store.post<{ id: string }>('/customers', { name: fresh.name() })
  expect(status).toBe(200)
  return body.id
}
