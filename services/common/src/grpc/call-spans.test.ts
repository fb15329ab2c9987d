import { StoresService } from '@storekeep/proto/stores/v1/stores_service'
import { afterEach, describe, expect, it } from 'vitest'
import { recordSpans } from '../../testing/record-spans.ts'
import { testIdentity } from '../../testing/test-identity.ts'
import { errors } from '../errors/index.ts'
import { createLogger } from '../log/index.ts'
import { activeSpan, createMetrics } from '../telemetry/index.ts'
import { bind, type CallOptions, createClient, createGrpcServer, createGrpcTransport } from './index.ts'
import type { Handlers } from './server.ts'

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
const callOptions = (flags: '00' | '01'): CallOptions => ({
  storeId: '411486491630370816',
  requestId: 'request-1',
  traceparent: `00-${traceId}-00f067aa0ba902b7-${flags}`,
})
const name = 'storekeep.stores.v1.StoresService/VerifyApiKey'

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

async function serve(verifyApiKey: Handlers<typeof StoresService>['verifyApiKey']) {
  const record = recordSpans()
  const log = createLogger({ service: 'test', level: 'silent' })
  const unused = () => Promise.reject(new Error('not used in this test'))
  const all = Object.fromEntries(Object.keys(StoresService.method).map((one) => [one, unused]))
  const handlers = { ...all, verifyApiKey } as unknown as Handlers<typeof StoresService>
  const metrics = createMetrics({ service: 'test' })
  const server = createGrpcServer({
    identity: testIdentity('stores'),
    admitsAll: true,
    services: [bind(StoresService, handlers)],
    log,
    metrics,
    ready: async () => true,
  })
  const transport = createGrpcTransport({
    to: 'stores',
    address: `127.0.0.1:${await server.listen('127.0.0.1', 0)}`,
    identity: testIdentity('gateway'),
  })
  closers.push(
    record.stop,
    () => server.stop(1000),
    () => transport.close(),
  )
  return { spans: record.spans, client: createClient(StoresService, transport) }
}

describe('a recorded gRPC call', () => {
  it('has a client span with a server span below it', async () => {
    let seen: unknown
    const { client, spans } = await serve(async (_request, call) => {
      seen = { parent: call.traceparent, active: activeSpan()?.traceparent }
      return { keyId: '1', storeId: '2', scopes: [] }
    })
    await client.verifyApiKey({ key: '' }, callOptions('01'))
    const [server, caller] = spans()
    const attributes = { 'rpc.system.name': 'grpc', 'rpc.method': name, 'rpc.status_code': 'OK' }
    expect(caller).toMatchObject({ name, kind: 'client', traceId, parentId: '00f067aa0ba902b7', attributes })
    expect(server).toMatchObject({ name, kind: 'server', traceId, parentId: caller?.spanId, attributes })
    const own = `00-${traceId}-${server?.spanId}-01`
    expect(seen).toEqual({ parent: own, active: own })
  })

  it('fails the client span on any fault, the server span only on internal faults', async () => {
    const faults = [errors.unauthorized(), errors.unavailable(new Error('secret'))]
    const { client, spans } = await serve(() => Promise.reject(faults.shift()))
    for (let calls = 0; calls < 2; calls += 1) {
      await client.verifyApiKey({ key: '' }, { ...callOptions('01'), deadlineMs: 1000 }).catch(() => {})
    }
    const ended = spans().map(({ kind, failed, attributes }) => [kind, attributes['error.type'] ?? '', failed])
    expect(ended.slice(0, 3)).toEqual([
      ['server', '', false],
      ['client', 'UNAUTHENTICATED', true],
      ['server', 'UNAVAILABLE', true],
    ])
    expect(JSON.stringify(spans())).not.toContain('secret')
  })

  it.each(['localhost:1', 'dns:///localhost:1', 'dns://127.0.0.1:53/localhost:1'])(
    'has the host of the server in its client span: %s',
    async (address) => {
      const record = recordSpans()
      const transport = createGrpcTransport({ to: 'stores', address: address, identity: testIdentity('gateway') })
      closers.push(record.stop, transport.close)
      const call = createClient(StoresService, transport).verifyApiKey(
        { key: '' },
        { ...callOptions('01'), deadlineMs: 50 },
      )
      await expect(call).rejects.toThrow()
      expect(record.spans()[0]?.attributes['server.address']).toBe('localhost')
    },
  )
})

describe('an unrecorded gRPC call', () => {
  it('creates no span and still propagates the trace', async () => {
    let seen: unknown
    const { client, spans } = await serve(async (_request, call) => {
      seen = { traceId: call.traceId, active: activeSpan() }
      return { keyId: '1', storeId: '2', scopes: [] }
    })
    await client.verifyApiKey({ key: '' }, callOptions('00'))
    expect(spans()).toEqual([])
    expect(seen).toEqual({ traceId, active: undefined })
  })
})
