import { setImmediate } from 'node:timers/promises'
import { ActorType } from '@storekeep/proto/common/v1/actor'
import { CustomersService } from '@storekeep/proto/customers/v1/customers_service'
import { StoresService } from '@storekeep/proto/stores/v1/stores_service'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { startTcpProxy } from '../../testing/tcp-proxy.ts'
import { errors, ServiceFault, violation } from '../errors/index.ts'
import { createLogger } from '../log/index.ts'
import { createMetrics } from '../telemetry/index.ts'
import { bind, type Call, type CallOptions, createClient, createGrpcServer, createGrpcTransport } from './index.ts'
import type { Handlers } from './server.ts'

const log = createLogger({ service: 'test', level: 'silent' })
const options: CallOptions = {
  storeId: '411486491630370816',
  actor: { type: ActorType.API_KEY, id: '411486491630370817' },
  requestId: 'request-1',
  traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
}

const sizes: [string, string][] = [
  ['small', 'key'],
  ['large', 'x'.repeat(100_000)],
]

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

async function serveStores(
  overrides: Partial<Handlers<typeof StoresService>>,
  { port: wanted = 0, ...settings }: { port?: number; streamAgeMs?: number } = {},
) {
  const unused = () => Promise.reject(new Error('not used in this test'))
  const names = Object.keys(StoresService.method)
  const handlers = {
    ...(Object.fromEntries(names.map((name) => [name, unused])) as unknown as Handlers<typeof StoresService>),
    ...overrides,
  }
  const server = createGrpcServer({
    services: [bind(StoresService, handlers)],
    log,
    metrics: createMetrics({ service: 'test' }),
    ready: async () => true,
    ...settings,
  })
  const port = await server.listen('127.0.0.1', wanted)
  const transport = createGrpcTransport({ address: `127.0.0.1:${port}` })
  closers.push(
    () => server.stop(1000),
    () => transport.close(),
  )
  return { server, port, transport, client: createClient(StoresService, transport) }
}

/** Makes eight calls in separate ticks of the event loop, so two on each stream. */
async function callInSeparateTicks<T>(call: () => Promise<T>): Promise<PromiseSettledResult<T>[]> {
  const calls: Promise<T>[] = []
  while (calls.length < 8) {
    calls.push(call())
    await setImmediate()
  }
  return await Promise.allSettled(calls)
}

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

  it('in flight when the server stops still succeeds', async () => {
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

  it('gets its own response when thousands are in flight and end in any order', async () => {
    const { client } = await serveStores({
      verifyApiKey: async ({ key }) => {
        await new Promise((resolve) => setTimeout(resolve, Number(key) % 7))
        return { keyId: key }
      },
    })
    const keys = Array.from({ length: 2000 }, (_, index) => String(index))
    const responses = await Promise.all(
      keys.map((key) => client.verifyApiKey({ key }, { ...options, deadlineMs: 60_000 })),
    )
    expect(responses.map(({ keyId }) => keyId)).toEqual(keys)
  })

  it('is not lost when its stream reaches its maximum age', async () => {
    let calls = 0
    const createStore = async () => {
      calls += 1
      return {}
    }
    const { client } = await serveStores({ createStore }, { streamAgeMs: 5 })
    const caller = async () => {
      for (let index = 0; index < 200; index += 1) {
        await client.createStore({}, options)
        if (index % 20 === 0) await new Promise((resolve) => setTimeout(resolve, 3))
      }
    }
    await Promise.all(Array.from({ length: 8 }, caller))
    expect(calls).toBe(1600)
  })

  it('is hedged to another replica when its own is unresponsive, if it is a read', async () => {
    const neverRespond = () => new Promise<never>(() => undefined)
    const one = await serveStores({ getStore: neverRespond, createStore: neverRespond })
    const two = await serveStores({ getStore: async () => ({}), createStore: async () => ({}) })
    const transport = createGrpcTransport({ address: `ipv4:127.0.0.1:${one.port},127.0.0.1:${two.port}` })
    closers.push(() => transport.close())
    const client = createClient(StoresService, transport)
    const write = () => client.createStore({}, { ...options, deadlineMs: 300 })
    const isStuck = async () => (await callInSeparateTicks(write)).some(({ status }) => status === 'rejected')
    await expect.poll(isStuck, { timeout: 20_000 }).toBe(true)
    const reads = await callInSeparateTicks(() => client.getStore({}, { ...options, deadlineMs: 10_000 }))
    expect(reads.filter(({ status }) => status === 'rejected')).toEqual([])
  }, 30_000)

  it('is hedged when its replica has only just frozen, even on idle streams, if it is a read', async () => {
    // Streams live long enough to become idle, but not so long that all stay on the replica that was reachable first.
    const settings = { streamAgeMs: 200 }
    const one = await serveStores({ verifyApiKey: async () => ({ keyId: 'one' }) }, settings)
    const two = await serveStores({ verifyApiKey: async () => ({ keyId: 'two' }) }, settings)
    const frozen = await startTcpProxy(`grpc://127.0.0.1:${one.port}`)
    closers.push(() => frozen.close())
    const address = `ipv4:127.0.0.1:${new URL(frozen.url).port},127.0.0.1:${two.port}`
    const clients = Array.from({ length: 24 }, () => {
      const transport = createGrpcTransport({ address })
      closers.push(() => transport.close())
      return createClient(StoresService, transport)
    })
    const read = (client: (typeof clients)[number], deadlineMs: number) =>
      client.verifyApiKey({ key: '' }, { ...options, deadlineMs })
    const warmUp = async (client: (typeof clients)[number], index: number) => {
      const seen = new Set<string>()
      while (seen.size < 2) seen.add((await read(client, 60_000)).keyId)
      // Leaves the round robin of each client at a different stream.
      for (let more = 0; more < index % 8; more += 1) await read(client, 60_000)
    }
    await Promise.all(clients.map(warmUp))
    frozen.stall()
    const outcomes = await Promise.allSettled(clients.map((client) => read(client, 10_000)))
    expect(outcomes.map(({ status }) => status)).toEqual(clients.map(() => 'fulfilled'))
  })

  it.each(sizes)(
    'reaches another replica when its own has vanished, a write once the silence is noticed: %s',
    async (_size, text) => {
      const serve = (id: string) =>
        serveStores({ verifyApiKey: async () => ({ keyId: id }), createStore: async () => ({ store: { id } }) })
      const gone = await startTcpProxy(`grpc://127.0.0.1:${(await serve('gone')).port}`)
      const there = await serve('there')
      const address = `ipv4:127.0.0.1:${new URL(gone.url).port},127.0.0.1:${there.port}`
      const transport = createGrpcTransport({ address })
      closers.push(
        () => gone.close(),
        () => transport.close(),
      )
      const client = createClient(StoresService, transport)
      const write = async (deadlineMs: number) =>
        (await client.createStore({ name: text }, { ...options, deadlineMs })).store?.id ?? ''
      const read = async () => (await client.verifyApiKey({ key: text }, { ...options, deadlineMs: 10_000 })).keyId
      const seen = new Set<string>()
      while (seen.size < 2) seen.add(await write(10_000))
      gone.stall()
      const responses = [await callInSeparateTicks(read)]
      // Writes sent to the vanished replica fail, after which it has been silent for too long.
      await callInSeparateTicks(() => write(1500))
      responses.push(await callInSeparateTicks(() => write(10_000)))
      expect(responses.flat()).toEqual(Array(16).fill({ status: 'fulfilled', value: 'there' }))
    },
  )

  it('fails alone when its request is too long', async () => {
    const { client } = await serveStores({ createStore: async () => ({ store: { id: '7' } }) })
    const beside = client.createStore({ name: 'x'.repeat(100_000) }, options)
    const tooLong = client.createStore({ name: 'x'.repeat(8 * 1024 * 1024) }, options)
    await expect(tooLong).rejects.toMatchObject({ code: 'internal-error' })
    await expect(beside).resolves.toMatchObject({ store: { id: '7' } })
  })

  it('is canceled at the slower replica when a hedge succeeds', async () => {
    const canceled = new Set<string>()
    const serve = (name: string) =>
      serveStores({
        verifyApiKey: async ({ key }, { signal }) => {
          if (key !== name) return {}
          await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
          canceled.add(key)
          return {}
        },
      })
    const ports = await Promise.all(['one', 'two'].map(async (name) => (await serve(name)).port))
    const transport = createGrpcTransport({ address: `ipv4:${ports.map((port) => `127.0.0.1:${port}`).join(',')}` })
    closers.push(() => transport.close())
    const client = createClient(StoresService, transport)
    for (const key of ['one', 'two']) {
      const isCanceled = async () => {
        await client.verifyApiKey({ key }, { ...options, deadlineMs: 60_000 })
        return canceled.has(key)
      }
      await expect.poll(isCanceled, { timeout: 20_000 }).toBe(true)
    }
  }, 30_000)

  it('is never hedged when it is marked as heavy', async () => {
    let received = 0
    const getStore: Handlers<typeof StoresService>['getStore'] = (_request, { signal }) => {
      received += 1
      return new Promise((resolve) => signal.addEventListener('abort', () => resolve({})))
    }
    const ports = await Promise.all([1, 2].map(async () => (await serveStores({ getStore })).port))
    const transport = createGrpcTransport({ address: `ipv4:${ports.map((port) => `127.0.0.1:${port}`).join(',')}` })
    closers.push(() => transport.close())
    const client = createClient(StoresService, transport)
    const read = (isHeavy: boolean) =>
      client.getStore({}, { ...options, deadlineMs: 900, isHeavy }).catch(() => undefined)
    await read(true)
    expect(received).toBe(1)
    await read(false)
    expect(received).toBe(3)
  })

  it('may have a request and a response of several MB', async () => {
    const { client } = await serveStores({ verifyApiKey: async ({ key }) => ({ keyId: key }) })
    const key = 'x'.repeat(3_000_000)
    expect((await client.verifyApiKey({ key }, options)).keyId).toHaveLength(key.length)
  })

  it('succeeds when concurrent calls do not fit one message together', async () => {
    const { client } = await serveStores({
      verifyApiKey: async ({ key }) => ({ keyId: key, scopes: ['x'.repeat(700_000)] }),
    })
    const keys = Array.from({ length: 40 }, (_, index) => String(index).padEnd(60_000))
    const responses = await Promise.all(
      keys.map((key) => client.verifyApiKey({ key }, { ...options, deadlineMs: 60_000 })),
    )
    expect(responses.map(({ keyId }) => keyId)).toEqual(keys)
  })

  it('fails alone as internal-error when its response is too long', async () => {
    const { client } = await serveStores({
      verifyApiKey: async ({ key }) => ({ keyId: key, scopes: key === 'long' ? ['x'.repeat(9_000_000)] : [] }),
    })
    const [long, short] = await Promise.allSettled([
      client.verifyApiKey({ key: 'long' }, options),
      client.verifyApiKey({ key: 'short' }, options),
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

  it('aborts the handler when its deadline passes, also on a stream that is going away', async () => {
    const arrived = new Set<string>()
    const aborted = new Set<string>()
    const { client } = await serveStores(
      {
        verifyApiKey: ({ key }, call) =>
          new Promise((resolve) => {
            arrived.add(key)
            call.signal.addEventListener('abort', () => {
              aborted.add(key)
              resolve({})
            })
          }),
      },
      { streamAgeMs: 10 },
    )
    for (const key of ['a', 'b', 'c', 'd', 'e']) {
      // On a busy machine the deadline may pass before the call is sent.
      while (!arrived.has(key)) {
        await client.verifyApiKey({ key }, { ...options, deadlineMs: 300 }).catch(() => undefined)
      }
    }
    await expect.poll(() => aborted.size).toBe(5)
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
    const transport = createGrpcTransport({ address: `127.0.0.1:${new URL(proxy.url).port}` })
    closers.push(
      () => proxy.close(),
      () => transport.close(),
    )
    const call = createClient(StoresService, transport).createStore({}, { ...options, deadlineMs: 5_000 })
    call.catch(() => undefined)
    await expect.poll(() => isReceived).toBe(true)
    // The report that the caller gave up will not arrive.
    proxy.stall()
    await expect.poll(() => isAborted).toBe(true)
  })

  it('queued behind an unresponsive server is not sent later if it was canceled', async () => {
    let handled = 0
    const { port } = await serveStores({
      createStore: async () => {
        handled += 1
        return {}
      },
    })
    const proxy = await startTcpProxy(`grpc://127.0.0.1:${port}`)
    const transport = createGrpcTransport({ address: `127.0.0.1:${new URL(proxy.url).port}` })
    closers.push(
      () => proxy.close(),
      () => transport.close(),
    )
    const client = createClient(StoresService, transport)
    await Promise.all(Array.from({ length: 8 }, () => client.createStore({}, options)))
    proxy.stall()
    const name = 'x'.repeat(50_000)
    const calls = Array.from({ length: 300 }, () => client.createStore({ name }, { ...options, deadlineMs: 300 }))
    const outcomes = await Promise.allSettled(calls)
    expect(outcomes.every(({ status }) => status === 'rejected')).toBe(true)
    proxy.pass()
    await expect
      .poll(() =>
        client.createStore({}, options).then(
          () => 'succeeded',
          () => 'failed',
        ),
      )
      .toBe('succeeded')
    // Calls in the socket buffers and in the message being written arrive; the remaining 15 MB are never sent.
    expect(handled).toBeLessThan(150)
  })

  it('fails as service-unavailable when the server dies, and a write is not repeated', async () => {
    let writes = 0
    let began: (() => void) | undefined
    const started = new Promise<void>((resolve) => {
      began = resolve
    })
    const { client, server } = await serveStores({
      createStore: () => {
        writes += 1
        began?.()
        return new Promise(() => undefined)
      },
    })
    const response = client.createStore({}, options).catch((error: unknown) => error)
    await started
    await server.stop(0)
    expect(await response).toMatchObject({ code: 'service-unavailable' })
    expect(writes).toBe(1)
  })

  it('that could not be sent is sent once the server is back, even a write', async () => {
    const { server, port, client } = await serveStores({})
    await server.stop(0)
    const response = client.createStore({}, options)
    await serveStores({ createStore: async () => ({ store: { id: '7' } }) }, { port })
    await expect(response).resolves.toMatchObject({ store: { id: '7' } })
  })

  it('to a service that the server does not implement fails as internal-error', async () => {
    const { transport } = await serveStores({})
    const customers = createClient(CustomersService, transport)
    await expect(customers.getCustomer({ customerId: '1' }, options)).rejects.toMatchObject({ code: 'internal-error' })
  })
})
