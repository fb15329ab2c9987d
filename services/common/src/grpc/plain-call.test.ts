import { fromBinary } from '@bufbuild/protobuf'
import { Client, credentials, type ServiceError, status } from '@grpc/grpc-js'
import { ActorType } from '@storekeep/proto/common/v1/actor'
import { FaultSchema } from '@storekeep/proto/common/v1/errors'
import { StoresService } from '@storekeep/proto/stores/v1/stores_service'
import { afterEach, describe, expect, it } from 'vitest'
import { plainCall } from '../../testing/plain-call.ts'
import { testIdentity } from '../../testing/test-identity.ts'
import { errors, violation } from '../errors/index.ts'
import { createLogger } from '../log/index.ts'
import { createMetrics } from '../telemetry/index.ts'
import { bind, type Call, type CallOptions, createGrpcServer } from './index.ts'
import type { Handlers } from './server.ts'

const options: CallOptions = {
  storeId: '411486491630370816',
  actor: { type: ActorType.API_KEY, id: '411486491630370817' },
  requestId: 'request-1',
  traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
}
const { getStore } = StoresService.method

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

async function serve(getStore: Handlers<typeof StoresService>['getStore']): Promise<Client> {
  const unused = () => Promise.reject(new Error('not used in this test'))
  const all = Object.fromEntries(Object.keys(StoresService.method).map((one) => [one, unused]))
  const server = createGrpcServer({
    identity: testIdentity('stores'),
    // Without TLS, a plain RPC does not prove its caller.
    admitsAll: true,
    services: [bind(StoresService, { ...all, getStore } as unknown as Handlers<typeof StoresService>)],
    log: createLogger({ service: 'test', level: 'silent' }),
    metrics: createMetrics({ service: 'test' }),
    ready: async () => true,
  })
  const client = new Client(`127.0.0.1:${await server.listen('127.0.0.1', 0)}`, credentials.createInsecure())
  closers.push(
    () => server.stop(1000),
    () => client.close(),
  )
  return client
}

describe('a plain unary RPC', () => {
  it('passes store, actor, request id, trace and idempotency key to the handler', async () => {
    let seen: Call | undefined
    const client = await serve(async (_request, call) => {
      seen = call
      return { store: { id: '7' } }
    })
    const idempotency = { key: 'k', scope: 'POST /v1/x' }
    await expect(plainCall(client, getStore, {}, { ...options, idempotency })).resolves.toMatchObject({
      store: { id: '7' },
    })
    const { storeId, actor } = options
    const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
    expect(seen).toMatchObject({ storeId, actor, requestId: 'request-1', traceId, idempotency })
  })

  it('has a default deadline', async () => {
    let remainingMs = 0
    const client = await serve(async (_request, call) => {
      remainingMs = call.remainingMs()
      return {}
    })
    await plainCall(client, getStore, {})
    expect(remainingMs).toBeGreaterThan(1000)
    expect(remainingMs).toBeLessThanOrEqual(60_000)
  })

  it('aborts its handler when its deadline passes', async () => {
    let aborted: Promise<void> | undefined
    const client = await serve((_request, { signal }) => {
      aborted = new Promise((resolve) => signal.addEventListener('abort', () => resolve()))
      return aborted.then(() => ({}))
    })
    const call = plainCall(client, getStore, {}, { ...options, deadlineMs: 500 })
    await expect(call).rejects.toMatchObject({ code: status.DEADLINE_EXCEEDED })
    await aborted
  })

  it('returns a fault in its trailer, with as many violations as fit', async () => {
    const one = violation('customers.199.minecraft_uuid', 'unique', 'belongs to another customer of this store')
    const client = await serve(() => Promise.reject(errors.conflict('Some ids are taken.', Array(1200).fill(one))))
    const error: ServiceError = await plainCall(client, getStore, {}, options).catch((thrown) => thrown)
    expect(error).toMatchObject({ code: status.ALREADY_EXISTS, details: 'Some ids are taken.' })
    const [bytes] = error.metadata.get('storekeep-fault-bin')
    const fault = fromBinary(FaultSchema, bytes instanceof Buffer ? bytes : new Uint8Array())
    expect(fault).toMatchObject({ code: 'conflict', message: 'Some ids are taken.' })
    expect(fault.violations.length).toBeGreaterThan(200)
  })
})
