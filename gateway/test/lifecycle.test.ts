import { setTimeout as sleep } from 'node:timers/promises'
import { createLogger } from '@storekeep/common/log'
import { requireEnv } from '@storekeep/common/testing'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { readConfig } from '../src/config.ts'
import { type RunningGateway, start } from '../src/start.ts'
import { type FakeServices, startFakeServices } from './fake-services.ts'
import { createHttpClient, type HttpClient } from './http-client.ts'
import { newApiKey, newId } from './ids.ts'

const log = createLogger({ service: 'gateway', level: 'silent' })
const closers: (() => unknown)[] = []
afterEach(async () => {
  vi.useRealTimers()
  for (const close of closers.splice(0).reverse()) await close()
})

async function boot(settings: Record<string, string> = {}): Promise<Booted> {
  const services = await startFakeServices(log)
  const config = readConfig({
    PORT: '0',
    CHECKOUT_BASE_URL: 'https://pay.example.com/checkout',
    ...services.addressSettings,
    REDIS_URL: requireEnv('TEST_REDIS_URL'),
    REDIS_KEY_PREFIX: `gateway-test-${newId()}:`,
    // Requests of these tests reach their service even on a busy machine.
    REQUEST_TIMEOUT_MS: '15000',
    ...settings,
  })
  const running = await start(config, { log })
  const http = createHttpClient(running.port)
  const [storeId, apiKey] = [newId(), newApiKey()]
  services.apiKeys.set(apiKey, { keyId: newId(), storeId, scopes: ['customers:read', 'customers:write'] })
  closers.push(
    () => services.close(),
    () => running.stop(),
    () => http.close(),
  )
  const get = (options = {}) =>
    http.request('GET', `/v1/stores/${storeId}/customers/5`, {
      headers: { authorization: `APIKey ${apiKey}` },
      ...options,
    })
  return { services, running, http, get }
}

interface Booted {
  services: FakeServices
  running: RunningGateway
  http: HttpClient
  get: (options?: { signal?: AbortSignal }) => ReturnType<HttpClient['request']>
}

/** Blocks GetCustomer until it is released. */
function hold(services: FakeServices): { started: Promise<void>; release(): void } {
  const { promise: started, resolve: start } = Promise.withResolvers<void>()
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const table = services.overrides
  table.getCustomer = async () => {
    start()
    await released
    delete table.getCustomer
    const profile = { id: '5', platform: 'service', name: '5' }
    return { customer: { id: '5', storeId: '6', profile, createdAt: { seconds: 0n, nanos: 0 } } }
  }
  return { started, release }
}

describe('stopping', () => {
  it('finishes requests in flight and rejects new connections', async () => {
    const { services, running, get } = await boot()
    const held = hold(services)
    const inFlight = get()
    await held.started
    const stopped = running.stop()
    await sleep(50)
    await expect(createHttpClient(running.port).request('GET', '/healthz')).rejects.toThrow('ECONNREFUSED')
    held.release()
    const response = await inFlight
    expect(response.status).toBe(200)
    expect(response.headers.connection).toBe('close')
    await stopped
  })

  it('first fails readiness and closes connections while it still serves requests', async () => {
    const { running, http, get } = await boot({ SHUTDOWN_DELAY_MS: '300' })
    expect((await get()).headers.connection).toBe('keep-alive')
    // The delay ends after the requests, even on a busy machine.
    vi.useFakeTimers({ toFake: ['setTimeout'] })
    const stopped = running.stop()
    const ready = await http.request('GET', '/readyz')
    expect(ready.status).toBe(503)
    const response = await get()
    expect(response.status).toBe(200)
    expect(response.headers.connection).toBe('close')
    vi.advanceTimersByTime(300)
    vi.useRealTimers()
    await stopped
  })

  it('aborts requests that exceed the grace period', async () => {
    const { services, running, get } = await boot({ SHUTDOWN_GRACE_MS: '100' })
    const held = hold(services)
    const inFlight = get().catch((error: Error) => error)
    await held.started
    await running.stop()
    expect(await inFlight).toBeInstanceOf(Error)
    held.release()
  })

  it('is not delayed by idle connections', async () => {
    const { running, get } = await boot({ SHUTDOWN_GRACE_MS: '600000' })
    await get()
    // Times out if it waits for the connection.
    await running.stop()
  })
})

describe('/metrics', () => {
  it('is on the HTTP port by default', async () => {
    const { http, running } = await boot()
    expect((await http.request('GET', '/metrics')).text).toContain('http_server_request_duration_seconds')
    expect(running.metricsPort).toBe(running.port)
  })

  it('is only on its separate port, which serves no endpoint, until the gateway stops', async () => {
    const { http, running } = await boot({ METRICS_PORT: '0' })
    const metrics = createHttpClient(running.metricsPort)
    expect((await metrics.request('GET', '/metrics')).text).toContain('http_server_request_duration_seconds')
    expect((await metrics.request('GET', '/v1/store')).status).toBe(404)
    expect(await http.request('GET', '/metrics')).toMatchObject({ status: 404, body: { code: 'not-found' } })
    expect((await http.request('GET', '/readyz')).status).toBe(200)
    await running.stop()
    metrics.close()
    await expect(createHttpClient(running.metricsPort).request('GET', '/metrics')).rejects.toThrow('ECONNREFUSED')
  })
})

describe('a request', () => {
  it('cancels its call when the caller disconnects', async () => {
    const { services, get } = await boot()
    const { promise: canceled, resolve } = Promise.withResolvers<void>()
    const { promise: started, resolve: start } = Promise.withResolvers<void>()
    services.overrides.getCustomer = (_request, call) => {
      start()
      call.signal.addEventListener('abort', () => resolve())
      return new Promise(() => {})
    }
    const hangUp = new AbortController()
    const response = get({ signal: hangUp.signal })
    await started
    hangUp.abort()
    await expect(response).rejects.toThrow()
    await canceled
  })

  it('gets 503 when a service is too slow, and its call is canceled', async () => {
    const { services, get } = await boot({ REQUEST_TIMEOUT_MS: '300' })
    const { promise: canceled, resolve } = Promise.withResolvers<void>()
    let isCalled = false
    services.overrides.getCustomer = (_request, call) => {
      isCalled = true
      expect(call.remainingMs()).toBeLessThanOrEqual(300)
      call.signal.addEventListener('abort', () => resolve())
      return new Promise(() => {})
    }
    // On a busy machine, the time can be over before the call is sent.
    do expect((await get()).body).toMatchObject({ status: 503, code: 'service-unavailable' })
    while (!isCalled)
    await canceled
  })

  it('gets 503 while a service is down and succeeds once it is back', async () => {
    const { services, get } = await boot()
    expect((await get()).status).toBe(200)
    await services.customers.stop()
    const response = await get()
    expect(response.body).toMatchObject({ status: 503, code: 'service-unavailable' })
    expect(response.headers['retry-after']).toBe('1')
  })
})

describe('starting', () => {
  it('requires neither Redis nor a service', async () => {
    const settings = {
      STORES_ADDRESS: '127.0.0.1:1',
      CUSTOMERS_ADDRESS: '127.0.0.1:1',
      REDIS_URL: 'redis://127.0.0.1:1',
    }
    const { http } = await boot(settings)
    expect((await http.request('GET', '/readyz')).status).toBe(200)
    expect((await http.request('GET', '/v1/store', { headers: { 'x-service-store-id': '5' } })).status).toBe(503)
  })

  it('fails when the port is in use', async () => {
    const { running } = await boot()
    await expect(boot({ PORT: String(running.port) })).rejects.toThrow('EADDRINUSE')
  })
})
