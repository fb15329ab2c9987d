import { setImmediate } from 'node:timers/promises'
import { create } from '@bufbuild/protobuf'
import { Client, credentials } from '@grpc/grpc-js'
import { CallerProofSchema } from '@storekeep/proto/common/v1/multiplex_service'
import { StoresService } from '@storekeep/proto/stores/v1/stores_service'
import { afterEach, describe, expect, it } from 'vitest'
import { testIdentity } from '../../../testing/test-identity.ts'
import { createLogger } from '../../log/index.ts'
import { createMetrics } from '../../telemetry/index.ts'
import { bind, createGrpcServer } from '../index.ts'
import type { Handlers } from '../server.ts'
import { openMultiplexedStream } from './multiplexed-stream.ts'

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

/** Opens a stream to a server that accepts calls and never responds. */
async function openUnresponsiveStream() {
  const received: string[] = []
  const neverRespond = (name: string) => () => {
    received.push(name)
    return new Promise<never>(() => undefined)
  }
  const names = Object.keys(StoresService.method)
  const handlers = Object.fromEntries(names.map((name) => [name, neverRespond(name)])) as unknown as Handlers<
    typeof StoresService
  >
  const server = createGrpcServer({
    identity: testIdentity('stores'),
    services: [bind(StoresService, handlers)],
    log: createLogger({ service: 'test', level: 'silent' }),
    metrics: createMetrics({ service: 'test' }),
    ready: async () => true,
  })
  const port = await server.listen('127.0.0.1', 0)
  const client = new Client(`127.0.0.1:${port}`, credentials.createInsecure())
  const prove = (nonce: Uint8Array) =>
    create(CallerProofSchema, {
      name: 'gateway',
      mac: testIdentity('gateway').keys?.prove('gateway', 'stores', nonce) ?? new Uint8Array(),
    })
  const stream = openMultiplexedStream(client, prove)
  closers.push(
    () => server.stop(0),
    () => client.close(),
    () => stream.close(),
  )
  await stream.accepted
  return { stream, received }
}

const path = `/${StoresService.typeName}/GetStore`
const options = { requestId: 'request-1', traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00' }

describe('a multiplexed stream', () => {
  it('does not count as silent after its only call is canceled', async () => {
    const { stream, received } = await openUnresponsiveStream()
    const controller = new AbortController()
    const call = stream.send(
      path,
      Buffer.alloc(0),
      { ...options, signal: controller.signal },
      performance.now() + 60_000,
    )
    await expect.poll(() => received.length, { interval: 1 }).toBe(1)
    controller.abort()
    await expect(call.response).rejects.toThrow('The call was canceled.')
    // Lets the cancellation be written, which the server does not respond to either.
    await setImmediate()
    await setImmediate()
    expect(stream.silentMs()).toBe(0)
  })

  it('does not count as silent while its only call is held back on purpose, but with another one (negative control)', async () => {
    const { stream, received } = await openUnresponsiveStream()
    const deadline = performance.now() + 60_000
    const held = stream.send(path, Buffer.alloc(0), { ...options, holdMs: 10_000 }, deadline)
    await expect.poll(() => received.length, { interval: 1 }).toBe(1)
    await setImmediate()
    expect(stream.silentMs()).toBe(0)
    const other = stream.send(path, Buffer.alloc(0), options, deadline)
    await expect.poll(() => stream.silentMs(), { interval: 1 }).toBeGreaterThan(0)
    other.cancel()
    held.cancel()
    await Promise.allSettled([held.response, other.response])
  })

  it('counts as silent from the time a call was sent when the call reaches its deadline', async () => {
    const { stream } = await openUnresponsiveStream()
    await expect(stream.send(path, Buffer.alloc(0), options, performance.now() + 50).response).rejects.toThrow(
      'deadline',
    )
    expect(stream.silentMs()).toBeGreaterThan(0)
  })
})
