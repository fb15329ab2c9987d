import { setImmediate } from 'node:timers/promises'
import { StoresService } from '@storekeep/proto/stores/v1/stores_service'
import { describe, expect, it } from 'vitest'
import { caller, closers, options, serveStores } from '../../../test/grpc-harness.ts'
import { startTcpProxy } from '../../../testing/tcp-proxy.ts'
import { createClient, createGrpcTransport } from '../index.ts'
import type { Handlers } from '../server.ts'

const sizes: [string, string][] = [
  ['small', 'key'],
  ['large', 'x'.repeat(100_000)],
]

/** Makes eight calls in separate ticks of the event loop, so two on each stream. */
async function callInSeparateTicks<T>(call: () => Promise<T>): Promise<PromiseSettledResult<T>[]> {
  const calls: Promise<T>[] = []
  while (calls.length < 8) {
    calls.push(call())
    await setImmediate()
  }
  return await Promise.allSettled(calls)
}

describe('a call over multiplexed streams', () => {
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
    const transport = createGrpcTransport({
      to: 'stores',
      address: `ipv4:127.0.0.1:${one.port},127.0.0.1:${two.port}`,
      identity: caller,
    })
    closers.push(() => transport.close())
    const client = createClient(StoresService, transport)
    const write = () => client.createStore({}, { ...options, deadlineMs: 300 })
    const isStuck = async () => (await callInSeparateTicks(write)).some(({ status }) => status === 'rejected')
    await expect.poll(isStuck, { timeout: 60_000 }).toBe(true)
    const reads = await callInSeparateTicks(() => client.getStore({}, { ...options, deadlineMs: 10_000 }))
    expect(reads.filter(({ status }) => status === 'rejected')).toEqual([])
  })

  it('is hedged when its replica has only just frozen, even on idle streams, if it is a read', async () => {
    // Streams live long enough to become idle, but not so long that all stay on the replica that was reachable first.
    const settings = { streamAgeMs: 200 }
    const one = await serveStores({ verifyApiKey: async () => ({ keyId: 'one' }) }, settings)
    const two = await serveStores({ verifyApiKey: async () => ({ keyId: 'two' }) }, settings)
    const frozen = await startTcpProxy(`grpc://127.0.0.1:${one.port}`)
    closers.push(() => frozen.close())
    const address = `ipv4:127.0.0.1:${new URL(frozen.url).port},127.0.0.1:${two.port}`
    const clients = Array.from({ length: 24 }, () => {
      const transport = createGrpcTransport({ to: 'stores', address, identity: caller })
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
      const transport = createGrpcTransport({ to: 'stores', address, identity: caller })
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
    const transport = createGrpcTransport({
      to: 'stores',
      address: `ipv4:${ports.map((port) => `127.0.0.1:${port}`).join(',')}`,
      identity: caller,
    })
    closers.push(() => transport.close())
    const client = createClient(StoresService, transport)
    for (const key of ['one', 'two']) {
      const isCanceled = async () => {
        await client.verifyApiKey({ key }, { ...options, deadlineMs: 60_000 })
        return canceled.has(key)
      }
      await expect.poll(isCanceled, { timeout: 60_000 }).toBe(true)
    }
  })

  it('is never hedged when it is marked as heavy', async () => {
    let received = 0
    const getStore: Handlers<typeof StoresService>['getStore'] = (_request, { signal }) => {
      received += 1
      return new Promise((resolve) => signal.addEventListener('abort', () => resolve({})))
    }
    const ports = await Promise.all([1, 2].map(async () => (await serveStores({ getStore })).port))
    const transport = createGrpcTransport({
      to: 'stores',
      address: `ipv4:${ports.map((port) => `127.0.0.1:${port}`).join(',')}`,
      identity: caller,
    })
    closers.push(() => transport.close())
    const client = createClient(StoresService, transport)
    const read = (isHeavy: boolean) =>
      client.getStore({}, { ...options, deadlineMs: 900, isHeavy }).catch(() => undefined)
    await read(true)
    expect(received).toBe(1)
    await read(false)
    expect(received).toBe(3)
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

  it('queued behind an unresponsive server is not sent later if it was canceled', async () => {
    let handled = 0
    const { port } = await serveStores({
      createStore: async () => {
        handled += 1
        return {}
      },
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

  it('an unsent call is sent once the server is back, even a write', async () => {
    const { server, port, client } = await serveStores({})
    await server.stop(0)
    const response = client.createStore({}, options)
    await serveStores({ createStore: async () => ({ store: { id: '7' } }) }, { port })
    await expect(response).resolves.toMatchObject({ store: { id: '7' } })
  })
})
