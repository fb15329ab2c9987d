import { CustomersService } from '@storekeep/proto/customers/v1/customers_service'
import { StoresService } from '@storekeep/proto/stores/v1/stores_service'
import { describe, expect, it, vi } from 'vitest'
import { caller, closers, options, serveStores } from '../../test/grpc-harness.ts'
import { startTcpProxy } from '../../testing/tcp-proxy.ts'
import { errors, ServiceFault, violation } from '../errors/index.ts'
import { type Call, createClient, createGrpcTransport } from './index.ts'

describe('a gRPC call', () => {
  it('passes request, store, actor, trace and idempotency key to the handler', async () => {
    let seen: Call | undefined
    const { client } = await serveStores({
      verifyApiKey: async (request, call) => {
        seen = call
        return { keyId: '1', storeId: '2', scopes: [request.key] }
      },
    })
    const idempotency = { key: 'k', scope: 'POST /v1/x' }
    await expect(client.verifyApiKey({ key: 'customers:read' }, { ...options, idempotency })).resolves.toMatchObject({
      keyId: '1',
      scopes: ['customers:read'],
    })
    expect(seen).toMatchObject({
      storeId: options.storeId,
      actor: options.actor,
      requestId: 'request-1',
      traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
      idempotency,
    })
    expect(seen?.remainingMs()).toBeGreaterThan(0)
  })

  it('returns a fault with its code, message and violations, without its cause', async () => {
    const fault = errors.validationFailed([violation('steam_id', 'format', 'must be a SteamID64')])
    const { client } = await serveStores({ getStore: () => Promise.reject(fault) })
    const error = await client.getStore({}, options).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(ServiceFault)
    expect(error).toMatchObject({ code: 'validation-failed', message: fault.message, violations: fault.violations })
  })

  it('returns a fault with as many violations as a trailer can hold', async () => {
    const one = violation('customers.199.minecraft_uuid', 'unique', 'belongs to another customer of this store')
    const fault = errors.conflict('Some ids are taken.', Array(1200).fill(one))
    const { client } = await serveStores({ getStore: () => Promise.reject(fault) })
    const error = await client.getStore({}, options).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ code: 'conflict', message: 'Some ids are taken.' })
    expect(error instanceof ServiceFault && error.violations.length).toBeGreaterThan(200)
  })

  it('returns internal-error for any other error, without its message', async () => {
    const { client } = await serveStores({
      getStore: () => Promise.reject(new Error('relation "secret" does not exist')),
    })
    const error = await client.getStore({}, options).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ code: 'internal-error' })
    expect(String(error)).not.toContain('secret')
  })

  it('fails as service-unavailable when no server listens and when the deadline passes', async () => {
    const { client, server } = await serveStores({
      getStore: (_request, call) => new Promise((resolve) => call.signal.addEventListener('abort', () => resolve({}))),
    })
    await expect(client.getStore({}, { ...options, deadlineMs: 30 })).rejects.toMatchObject({
      code: 'service-unavailable',
    })
    await server.stop(100)
    await expect(client.getStore({}, { ...options, deadlineMs: 200 })).rejects.toMatchObject({
      code: 'service-unavailable',
      retryAfterSeconds: 1,
    })
  })

  it('aborts the handler when the caller cancels', async () => {
    const controller = new AbortController()
    let aborted: Promise<void> | undefined
    const { client } = await serveStores({
      getStore: (_request, call) => {
        aborted = new Promise((resolve) => call.signal.addEventListener('abort', () => resolve()))
        controller.abort()
        return aborted.then(() => ({}))
      },
    })
    await expect(client.getStore({}, { ...options, signal: controller.signal })).rejects.toMatchObject({
      code: 'service-unavailable',
    })
    await aborted
  })

  it('is retried if it is a read or has an idempotency key, and never if it is a write without one', async () => {
    let reads = 0
    let writes = 0
    const { client } = await serveStores({
      getStore: async () => {
        reads += 1
        if (reads < 3) throw errors.unavailable()
        return {}
      },
      createStore: async () => {
        writes += 1
        throw errors.unavailable()
      },
    })
    await client.getStore({}, options)
    expect(reads).toBe(3)
    await expect(client.createStore({}, options)).rejects.toMatchObject({ code: 'service-unavailable' })
    expect(writes).toBe(1)
    const idempotency = { key: 'k', scope: 'POST /v1/x' }
    await expect(client.createStore({}, { ...options, idempotency })).rejects.toMatchObject({
      code: 'service-unavailable',
    })
    expect(writes).toBe(5)
  })

  it('a call in flight when the server stops still succeeds', async () => {
    let finish: (() => void) | undefined
    let started: (() => void) | undefined
    const inFlight = new Promise<void>((resolve) => {
      started = resolve
    })
    const { client, server } = await serveStores({
      getStore: () =>
        new Promise((resolve) => {
          finish = () => resolve({ store: { id: '7' } })
          started?.()
        }),
    })
    const response = client.getStore({}, options)
    await inFlight
    const stopped = server.stop(5000)
    finish?.()
    await expect(response).resolves.toMatchObject({ store: { id: '7' } })
    await stopped
  })

  it('fails alone when its request is too long', async () => {
    const { client } = await serveStores({ createStore: async () => ({ store: { id: '7' } }) })
    const beside = client.createStore({ name: 'x'.repeat(100_000) }, options)
    const tooLong = client.createStore({ name: 'x'.repeat(8 * 1024 * 1024) }, options)
    await expect(tooLong).rejects.toMatchObject({ code: 'internal-error' })
    await expect(beside).resolves.toMatchObject({ store: { id: '7' } })
  })

  it('may have a request and a response of several MB', async () => {
    const { client } = await serveStores({ verifyApiKey: async ({ key }) => ({ keyId: key }) })
    const key = 'x'.repeat(3_000_000)
    expect((await client.verifyApiKey({ key }, { ...options, deadlineMs: 60_000 })).keyId).toHaveLength(key.length)
  })

  it('fails alone as internal-error when its response is too long', async () => {
    const { client } = await serveStores({
      verifyApiKey: async ({ key }) => ({ keyId: key, scopes: key === 'long' ? ['x'.repeat(9_000_000)] : [] }),
    })
    const [long, short] = await Promise.allSettled([
      client.verifyApiKey({ key: 'long' }, { ...options, deadlineMs: 60_000 }),
      client.verifyApiKey({ key: 'short' }, { ...options, deadlineMs: 60_000 }),
    ])
    expect(long).toMatchObject({ status: 'rejected', reason: { code: 'internal-error' } })
    expect(short).toMatchObject({ status: 'fulfilled', value: { keyId: 'short' } })
  })

  it.each([-3_600_000, 3_600_000])('keeps its deadline when the wall clock jumps by %d ms', async (jumpMs) => {
    let remainingMs: number | undefined
    const { client } = await serveStores({
      verifyApiKey: async (_request, call) => {
        vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + jumpMs })
        remainingMs = call.remainingMs()
        return {}
      },
    })
    await client.verifyApiKey({ key: 'key' }, { ...options, deadlineMs: 60_000 }).finally(() => vi.useRealTimers())
    expect(remainingMs).toBeGreaterThan(0)
    expect(remainingMs).toBeLessThanOrEqual(60_000)
  })

  it('aborts the handler at its deadline even if the caller cannot be reached any more', async () => {
    let isReceived = false
    let isAborted = false
    const { port } = await serveStores({
      createStore: (_request, { signal }) =>
        new Promise((resolve) => {
          isReceived = true
          signal.addEventListener('abort', () => {
            isAborted = true
            resolve({})
          })
        }),
    })
    const proxy = await startTcpProxy(`grpc://127.0.0.1:${port}`)
    const transport = createGrpcTransport({
      to: 'stores',
      address: `127.0.0.1:${new URL(proxy.url).port}`,
      identity: caller,
    })
    closers.push(
      () => proxy.close(),
      () => transport.close(),
    )
    const call = createClient(StoresService, transport).createStore({}, { ...options, deadlineMs: 5_000 })
    call.catch(() => undefined)
    await expect.poll(() => isReceived).toBe(true)
    // The report that the caller gave up will not arrive. Without its own timer the server would notice only after 37 s, when a
    // keepalive ping has failed.
    proxy.stall()
    await expect.poll(() => isAborted, { timeout: 60_000 }).toBe(true)
  })

  it('a call to an unimplemented service fails as internal-error', async () => {
    const { transport } = await serveStores({})
    const customers = createClient(CustomersService, transport)
    await expect(customers.getCustomer({ customerId: '1' }, options)).rejects.toMatchObject({ code: 'internal-error' })
  })
})
