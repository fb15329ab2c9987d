import { setImmediate } from 'node:timers/promises'
import { Client, credentials } from '@grpc/grpc-js'
import { StoresService } from '@storekeep/proto/stores/v1/stores_service'
import { afterEach, describe, expect, it } from 'vitest'
import { createLogger } from '../log/index.ts'
import { createMetrics } from '../telemetry/index.ts'
import { openExchangeStream } from './exchange-stream.ts'
import { bind, createGrpcServer } from './index.ts'
import type { Handlers } from './server.ts'

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

/** A stream to a server that takes calls and answers none. */
async function openSilentStream() {
  const asked: string[] = []
  const still = (name: string) => () => {
    asked.push(name)
    return new Promise<never>(() => undefined)
  }
  const names = Object.keys(StoresService.method)
  const handlers = Object.fromEntries(names.map((name) => [name, still(name)])) as unknown as Handlers<
    typeof StoresService
  >
  const server = createGrpcServer({
    services: [bind(StoresService, handlers)],
    log: createLogger({ service: 'test', level: 'silent' }),
    metrics: createMetrics({ service: 'test' }),
    ready: async () => true,
  })
  const port = await server.listen('127.0.0.1', 0)
  const client = new Client(`127.0.0.1:${port}`, credentials.createInsecure())
  const stream = openExchangeStream(client)
  closers.push(
    () => server.stop(0),
    () => client.close(),
    () => stream.close(),
  )
  await stream.accepted
  return { stream, asked }
}

const path = `/${StoresService.typeName}/GetStore`
const options = { requestId: 'request-1', traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00' }

describe('a stream', () => {
  it('whose only caller hangs up is not taken for silent, since nothing is owed any more', async () => {
    const { stream, asked } = await openSilentStream()
    const hangUp = new AbortController()
    const call = stream.ask(path, Buffer.alloc(0), { ...options, signal: hangUp.signal }, Date.now() + 60_000)
    await expect.poll(() => asked.length, { interval: 1 }).toBe(1)
    hangUp.abort()
    await expect(call.answer).rejects.toThrow('The call was canceled.')
    // So that the server is told, which it says nothing to either.
    await setImmediate()
    await setImmediate()
    expect(stream.silentMs()).toBe(0)
  })

  it('is silent since its call was sent when that is not answered by its deadline', async () => {
    const { stream } = await openSilentStream()
    await expect(stream.ask(path, Buffer.alloc(0), options, Date.now() + 50).answer).rejects.toThrow('deadline')
    expect(stream.silentMs()).toBeGreaterThan(0)
  })
})
