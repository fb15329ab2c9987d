import { globSync, readFileSync } from 'node:fs'
import { create } from '@bufbuild/protobuf'
import { Client, credentials, status } from '@grpc/grpc-js'
import { BansService } from '@storekeep/proto/bans/v1/bans_service'
import { CartsService } from '@storekeep/proto/checkout/v1/carts_service'
import { CheckoutService } from '@storekeep/proto/checkout/v1/checkout_service'
import { ProductsService } from '@storekeep/proto/checkout/v1/products_service'
import { TagsService } from '@storekeep/proto/checkout/v1/tags_service'
import { type ActorType, ActorTypeSchema } from '@storekeep/proto/common/v1/actor'
import { ExportService } from '@storekeep/proto/common/v1/export_service'
import { CallerProofSchema } from '@storekeep/proto/common/v1/multiplex_service'
import { OperationsService } from '@storekeep/proto/common/v1/operations_service'
import {
  type CallerName,
  callerActors,
  callerNames,
  callRights,
  rpcsOf,
  type ServerName,
  serverNames,
} from '@storekeep/proto/conventions/call-rights'
import { AffiliateLinksService } from '@storekeep/proto/coupons/v1/affiliate_links_service'
import { CouponsService } from '@storekeep/proto/coupons/v1/coupons_service'
import { RedemptionsService } from '@storekeep/proto/coupons/v1/redemptions_service'
import { CustomVariablesService } from '@storekeep/proto/custom_variables/v1/custom_variables_service'
import { CustomersService } from '@storekeep/proto/customers/v1/customers_service'
import { OrdersService } from '@storekeep/proto/orders/v1/orders_service'
import { PaymentsService } from '@storekeep/proto/orders/v1/payments_service'
import { SearchService } from '@storekeep/proto/search/v1/search_service'
import { StoresService } from '@storekeep/proto/stores/v1/stores_service'
import { DeliveriesService } from '@storekeep/proto/webhooks/v1/deliveries_service'
import { WebhooksService } from '@storekeep/proto/webhooks/v1/webhooks_service'
import { afterEach, describe, expect, it } from 'vitest'
import { plainCall } from '../../testing/plain-call.ts'
import { parseCallKeys } from '../crypto/index.ts'
import type { ProcessIdentity, ServerIdentity } from '../identity/index.ts'
import { createLogger } from '../log/index.ts'
import { createMetrics } from '../telemetry/index.ts'
import type { UnaryService } from './adapter.ts'
import { bind, createGrpcServer, createGrpcTransport, type Transport } from './index.ts'
import { openMultiplexedStream } from './multiplexer/multiplexed-stream.ts'

const services: readonly UnaryService[] = [
  StoresService,
  CustomersService,
  BansService,
  CustomVariablesService,
  CouponsService,
  RedemptionsService,
  AffiliateLinksService,
  CheckoutService,
  ProductsService,
  TagsService,
  CartsService,
  OrdersService,
  PaymentsService,
  WebhooksService,
  DeliveriesService,
  SearchService,
  OperationsService,
  ExportService,
]

/** A key for every pair of caller and server, so that only rights can make a call fail. */
const keys = parseCallKeys(
  callerNames.flatMap((caller) => serverNames.map((server) => `${caller}:${server}=${keyOf(caller, server)}`)).join(),
)
const trace = { requestId: 'request-1', traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00' }
const allActors = ActorTypeSchema.values.map(({ number }) => number as ActorType)

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

describe('the table of rights', () => {
  it('lists every RPC of every proto, and no other', () => {
    const listed = serverNames.flatMap((server) => rpcsOf(server).map(({ path }) => path))
    expect([...new Set(listed)].sort()).toEqual(declaredRpcs())
  })
})

describe.each(serverNames)('the server of %s', (server) => {
  it('handles exactly the calls of the table', async () => {
    const { address, handled } = await serve({ name: server, tls: undefined, keys })
    const wrong: string[] = []
    const counts = { admitted: 0, rejected: 0 }
    for (const caller of callerNames) {
      const transport = connect(server, address, { name: caller, tls: undefined, keys })
      for (const { method, path } of methodsOf(server)) {
        const outcomes = await Promise.all(allActors.map((type) => callAs(transport, method, type)))
        for (const [index, isHandled] of outcomes.entries()) {
          const type = allActors[index] ?? 0
          const isPermitted = mayCall(server, caller, path) && callerActors[caller].includes(type)
          counts[isHandled ? 'admitted' : 'rejected'] += 1
          if (isHandled !== isPermitted) wrong.push(`${caller} ${path} as ${type}: ${isHandled}`)
        }
      }
    }
    expect(wrong).toEqual([])
    // What was rejected did not reach a handler.
    expect(handled()).toBe(counts.admitted)
    expect(counts.admitted).toBeGreaterThan(0)
    expect(counts.rejected).toBeGreaterThan(counts.admitted)
  })
})

describe('a server that does not check rights (negative control)', () => {
  it('handles calls that the table does not permit', async () => {
    const { address } = await serve({ name: 'stores', tls: undefined, keys }, { admitsAll: true })
    const transport = connect('stores', address, { name: 'search', tls: undefined, keys })
    expect(await callAs(transport, StoresService.method.createStore, 2)).toBe(true)
  })
})

describe('a caller', () => {
  const admin = (identity: Partial<ProcessIdentity>): ProcessIdentity => ({
    name: 'admin-tools',
    tls: undefined,
    keys: undefined,
    ...identity,
  })

  it.each<[string, ProcessIdentity]>([
    ['without a key', admin({})],
    ['with a wrong key', admin({ keys: parseCallKeys(`admin-tools:stores=${'x'.repeat(43)}`) })],
    [
      'with the key of another caller',
      admin({ keys: parseCallKeys(`admin-tools:stores=${keyOf('gateway', 'stores')}`) }),
    ],
    [
      'with its key for another server',
      admin({ keys: parseCallKeys(`admin-tools:stores=${keyOf('admin-tools', 'search')}`) }),
    ],
    ['that is no caller', { ...admin({ keys }), name: 'bans' }],
  ])('%s is rejected', async (_which, identity) => {
    const { address, handled, lines } = await serve({ name: 'stores', tls: undefined, keys })
    expect(await callAs(connect('stores', address, identity), StoresService.method.listStores, 7)).toBe(false)
    expect(handled()).toBe(0)
    expect(lines.join()).toContain('"reason":"unknown_caller"')
    for (const key of [keyOf('admin-tools', 'stores'), 'x'.repeat(43)]) expect(lines.join()).not.toContain(key)
  })

  it('rejects a caller that repeats the proof of another stream', async () => {
    const { address, handled } = await serve({ name: 'stores', tls: undefined, keys })
    let first: Uint8Array | undefined
    const client = new Client(address, credentials.createInsecure())
    closers.push(() => client.close())
    async function open(): Promise<boolean> {
      const stream = openMultiplexedStream(client, (nonce) => {
        first ??= nonce
        return create(CallerProofSchema, { name: 'gateway', mac: macOf(first) })
      })
      try {
        const { method } = StoresService
        const path = `/${StoresService.typeName}/${method.verifyApiKey.name}`
        await stream.send(path, new Uint8Array(), { ...trace, actor: { type: 1 } }, performance.now() + 60_000).response
        return true
      } catch (error) {
        expect(error).toMatchObject({ failure: { code: status.PERMISSION_DENIED } })
        return false
      } finally {
        stream.close()
      }
    }
    const macOf = (nonce: Uint8Array) => keys.prove('gateway', 'stores', nonce) ?? new Uint8Array()
    expect([await open(), await open(), handled()]).toEqual([true, false, 1])
  })

  it('is recognized by the old and the new key while a key is replaced, and only then by the old one', async () => {
    const [old, next] = [keyOf('gateway', 'stores'), 'n'.repeat(43)]
    const attempt = async (accepted: string, used: string) => {
      const { address } = await serve({
        name: 'stores',
        tls: undefined,
        keys: parseCallKeys(`gateway:stores=${accepted}`),
      })
      const identity = { name: 'gateway', tls: undefined, keys: parseCallKeys(`gateway:stores=${used}`) } as const
      return await callAs(connect('stores', address, identity), StoresService.method.getStore, 1)
    }
    expect(await attempt(`${old}+${next}`, old)).toBe(true)
    expect(await attempt(`${old}+${next}`, `${next}+${old}`)).toBe(true)
    expect(await attempt(next, `${next}+${old}`)).toBe(true)
    expect(await attempt(next, old)).toBe(false)
  })
})

describe('without TLS', () => {
  it('a plain unary RPC is rejected, because it cannot prove its caller', async () => {
    const { address, handled } = await serve({ name: 'stores', tls: undefined, keys })
    const client = new Client(address, credentials.createInsecure())
    closers.push(() => client.close())
    const call = plainCall(client, StoresService.method.getStore, {}, { ...trace, actor: { type: 1 } })
    await expect(call).rejects.toMatchObject({ code: status.PERMISSION_DENIED })
    expect(handled()).toBe(0)
  })

  it('health checks are open to every caller', async () => {
    const { address } = await serve({ name: 'stores', tls: undefined, keys })
    const client = new Client(address, credentials.createInsecure())
    closers.push(() => client.close())
    const same = (bytes: Buffer) => bytes
    const health = await new Promise((resolve, reject) =>
      client.makeUnaryRequest('/grpc.health.v1.Health/Check', same, same, Buffer.alloc(0), (error, response) =>
        error ? reject(error) : resolve(response),
      ),
    )
    // status: SERVING
    expect(health).toEqual(Buffer.from([8, 1]))
  })
})

it('a service whose RPCs are missing in the table does not start', async () => {
  await expect(serve({ name: 'bans', tls: undefined, keys }, { others: [StoresService] })).rejects.toThrow(
    '/storekeep.stores.v1.StoresService/GetStore is missing in proto/conventions/call-rights.ts',
  )
})

async function serve(
  identity: ServerIdentity,
  { others = [], admitsAll = false }: { others?: UnaryService[]; admitsAll?: boolean } = {},
) {
  const lines: string[] = []
  const metrics = createMetrics({ service: 'test' })
  let handled = 0
  const handle = async () => {
    handled += 1
    return {}
  }
  const bound = services.filter(({ typeName }) => typeName in callRights[identity.name])
  const server = createGrpcServer({
    identity,
    admitsAll,
    services: [...bound, ...others].map((service) =>
      bind(service, Object.fromEntries(Object.keys(service.method).map((name) => [name, handle]))),
    ),
    log: createLogger({ service: 'test', level: 'info', destination: { write: (line) => lines.push(line) } }),
    metrics,
    ready: async () => true,
  })
  const address = `127.0.0.1:${await server.listen('127.0.0.1', 0)}`
  closers.push(() => server.stop(1000))
  return { address, lines, metrics, handled: () => handled }
}

function connect(to: ServerName, address: string, identity: ProcessIdentity): Transport {
  const transport = createGrpcTransport({ to, address, identity })
  closers.push(() => transport.close())
  return transport
}

/** Whether the call was handled. Any failure other than a rejection fails the test. */
async function callAs(transport: Transport, method: UnaryService['method'][string], type: ActorType): Promise<boolean> {
  try {
    await transport.unary(method, {}, { ...trace, actor: { type }, deadlineMs: 60_000, isHeavy: true })
    return true
  } catch (error) {
    expect(error).toMatchObject({
      code: 'service-unavailable',
      cause: { failure: { code: status.PERMISSION_DENIED } },
    })
    return false
  }
}

function methodsOf(server: ServerName) {
  return services
    .filter(({ typeName }) => typeName in callRights[server])
    .flatMap((service) => Object.values(service.method))
    .map((method) => ({ method, path: `/${method.parent.typeName}/${method.name}` }))
}

function mayCall(server: ServerName, caller: CallerName, path: string): boolean {
  return rpcsOf(server).some((rpc) => rpc.path === path && rpc.callers.includes(caller))
}

function keyOf(caller: string, server: string): string {
  return `${caller}-${server}`.padEnd(43, '0')
}

/** The unary RPCs in the proto files themselves. */
function declaredRpcs(): string[] {
  const root = new URL('../../../../proto/', import.meta.url)
  const files = globSync('storekeep/**/*.proto', { cwd: root })
  return files
    .flatMap((file) => {
      const text = readFileSync(new URL(file, root), 'utf8')
      const [, name = ''] = /^package (\S+);/m.exec(text) ?? []
      const [, service = ''] = /^service (\w+)/m.exec(text) ?? []
      const rpcs = [...text.matchAll(/^ {2}rpc (\w+)\((?!stream)/gm)]
      return rpcs.map(([, rpc]) => `/${name}.${service}/${rpc}`)
    })
    .sort()
}
