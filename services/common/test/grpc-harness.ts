import { ActorType } from '@storekeep/proto/common/v1/actor'
import { StoresService } from '@storekeep/proto/stores/v1/stores_service'
import { afterEach } from 'vitest'
import { bind, type CallOptions, createClient, createGrpcServer, createGrpcTransport } from '../src/grpc/index.ts'
import type { Handlers } from '../src/grpc/server.ts'
import { createLogger } from '../src/log/index.ts'
import { createMetrics } from '../src/telemetry/index.ts'
import { testIdentity } from '../testing/test-identity.ts'

export const log = createLogger({ service: 'test', level: 'silent' })
export const options: CallOptions = {
  storeId: '411486491630370816',
  actor: { type: ActorType.API_KEY, id: '411486491630370817' },
  requestId: 'request-1',
  traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
}

/** The caller in these tests. */
export const caller = testIdentity('gateway')

/** Run after each test, the last one first. */
export const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

/** Starts a server and a client of StoresService; calls without a handler fail. */
export async function serveStores(
  overrides: Partial<Handlers<typeof StoresService>>,
  { port: wanted = 0, ...settings }: { port?: number; streamAgeMs?: number; cell?: number } = {},
) {
  const unused = () => Promise.reject(new Error('not used in this test'))
  const names = Object.keys(StoresService.method)
  const handlers = {
    ...(Object.fromEntries(names.map((name) => [name, unused])) as unknown as Handlers<typeof StoresService>),
    ...overrides,
  }
  const server = createGrpcServer({
    identity: testIdentity('stores'),
    // These tests use one caller for all calls.
    admitsAll: true,
    services: [bind(StoresService, handlers)],
    log,
    metrics: createMetrics({ service: 'test' }),
    ready: async () => true,
    ...settings,
  })
  const port = await server.listen('127.0.0.1', wanted)
  const transport = createGrpcTransport({ to: 'stores', address: `127.0.0.1:${port}`, identity: caller })
  closers.push(
    () => server.stop(1000),
    () => transport.close(),
  )
  return { server, port, transport, client: createClient(StoresService, transport) }
}
