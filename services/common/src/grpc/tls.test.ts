import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client, status } from '@grpc/grpc-js'
import { ActorType } from '@storekeep/proto/common/v1/actor'
import { StoresService } from '@storekeep/proto/stores/v1/stores_service'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { type Authority, type Certificate, createAuthority } from '../../testing/authority.ts'
import { mountCertificate } from '../../testing/mount-certificate.ts'
import { plainCall } from '../../testing/plain-call.ts'
import { countConnections, handshake, serialOf } from '../../testing/tls-connections.ts'
import { createTlsIdentity, type TlsIdentity } from '../identity/index.ts'
import { createLogger } from '../log/index.ts'
import { createMetrics } from '../telemetry/index.ts'
import { channelCredentials } from '../unsupported/tls-credentials.ts'
import { bind, createClient, createGrpcServer, createGrpcTransport } from './index.ts'
import type { Handlers } from './server.ts'

const options = {
  actor: { type: ActorType.ADMIN },
  requestId: 'request-1',
  traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
}
const unavailable = { code: 'service-unavailable' }

let authority: Authority
let server: Certificate
let admin: Certificate
beforeAll(async () => {
  authority = await createAuthority('current')
  server = await authority.issue(['localhost'])
  admin = await authority.issue(['admin-tools'])
})

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

describe('a call over mutual TLS', () => {
  it('succeeds over TLS 1.3 for a listed caller with a certificate from the CA', async () => {
    const { port, call } = await serve(server)
    await expect(call(admin)).resolves.toMatchObject({ keyId: '1' })
    expect(await handshake(port, admin)).toEqual({ version: 'TLSv1.3', serialNumber: serialOf(server) })
    await expect(handshake(port, admin, { maxVersion: 'TLSv1.2' })).rejects.toThrow()
  })

  it('succeeds as a plain unary RPC', async () => {
    const { callPlainly } = await serve(server)
    await expect(callPlainly(admin)).resolves.toMatchObject({ keyId: '1' })
  })

  it('fails without TLS and without a client certificate', async () => {
    const { port, call } = await serve(server)
    await expect(call(undefined)).rejects.toMatchObject(unavailable)
    await expect(handshake(port, undefined, { ca: authority.ca })).rejects.toThrow()
  })

  it('fails when the client certificate comes from another CA', async () => {
    const { call } = await serve(server)
    const other = await (await createAuthority('other')).issue(['admin-tools'])
    await expect(call({ ...other, ca: other.ca + authority.ca })).rejects.toMatchObject(unavailable)
  })

  it('is not sent when the server certificate comes from another CA', async () => {
    const other = await (await createAuthority('other')).issue(['localhost'])
    const { call, handled } = await serve({ ...other, ca: other.ca + authority.ca })
    await expect(call(admin)).rejects.toMatchObject(unavailable)
    expect(handled()).toBe(0)
  })

  it('is not sent when the server certificate is for another host', async () => {
    const { call, handled } = await serve(await authority.issue(['stores']))
    await expect(call(admin)).rejects.toMatchObject(unavailable)
    expect(handled()).toBe(0)
  })

  it('reports an unlisted caller as unavailable, not as forbidden, and logs its name', async () => {
    const { call, handled, lines } = await serve(server)
    await expect(call(await authority.issue(['coupons', 'coupons.shops.svc']))).rejects.toMatchObject(unavailable)
    expect(handled()).toBe(0)
    const rejections = lines.map((line) => JSON.parse(line)).filter(({ reason }) => reason)
    expect(rejections).toMatchObject([
      {
        level: 'error',
        reason: 'unknown_caller',
        caller: 'coupons, coupons.shops.svc',
        method: 'storekeep.stores.v1.StoresService/VerifyApiKey',
      },
    ])
  })

  it('rejects an unlisted caller of a plain unary RPC', async () => {
    const { callPlainly, handled } = await serve(server)
    const coupons = await authority.issue(['coupons'])
    await expect(callPlainly(coupons)).rejects.toMatchObject({ code: status.PERMISSION_DENIED })
    expect(handled()).toBe(0)
  })
})

describe('replacing all certificates', () => {
  it('fails no call, and the old CA is rejected afterwards', async () => {
    const next = await createAuthority('next')
    const both = authority.ca + next.ca
    const newServer = await next.issue(['localhost'])
    const newAdmin = await next.issue(['admin-tools'])
    const { calls, port, turn, swapServer, swapAdmin } = await serveUnderLoad()

    // The operator's procedure: trust both CAs everywhere, replace the certificates, then remove the old CA.
    for (const swap of [
      () => swapServer({ ...server, ca: both }),
      () => swapAdmin({ ...admin, ca: both }),
      () => swapServer({ ...newServer, ca: both }),
      () => swapAdmin({ ...newAdmin, ca: both }),
      () => swapServer(newServer),
      () => swapAdmin(newAdmin),
    ]) {
      swap()
      await turn()
    }
    const { made, failures, writesMade, writesDone } = await calls.stop()
    expect(failures).toEqual([])
    expect(made).toBeGreaterThan(600)
    // A write is never sent twice; a read may be hedged.
    expect(writesDone).toBe(writesMade)
    expect(await handshake(port, newAdmin)).toMatchObject({ serialNumber: serialOf(newServer) })
    await expect(handshake(port, { ...admin, ca: both })).rejects.toThrow()
  })

  it('fails calls when no process trusts both CAs in between (negative control)', async () => {
    const next = await createAuthority('next')
    const { calls, swapServer } = await serveUnderLoad()
    swapServer(await next.issue(['localhost']))
    await vi.waitFor(() => expect(calls.failures).not.toEqual([]), { timeout: 60_000 })
    await calls.stop()
  })
})

async function serve(certificate: Certificate, ages: { streamAgeMs?: number; connectionAgeMs?: number } = {}) {
  const lines: string[] = []
  const log = createLogger({ service: 'test', level: 'info', destination: { write: (line) => lines.push(line) } })
  const { identity, swap } = identityOf(certificate)
  let handled = 0
  let writesDone = 0
  const unused = () => Promise.reject(new Error('not used in this test'))
  const names = Object.keys(StoresService.method)
  const handlers = {
    ...(Object.fromEntries(names.map((name) => [name, unused])) as unknown as Handlers<typeof StoresService>),
    verifyApiKey: async () => {
      handled += 1
      return { keyId: '1' }
    },
    // A write, which is never sent twice.
    createStore: async () => {
      handled += 1
      writesDone += 1
      return {}
    },
  }
  const grpcServer = createGrpcServer({
    services: [bind(StoresService, handlers)],
    log,
    metrics: createMetrics({ service: 'test' }),
    ready: async () => true,
    identity: {
      name: 'stores',
      tls: identity,
      keys: undefined,
      callers: new Map([['admin-tools', 'admin-tools']]),
    },
    ...ages,
  })
  const port = await grpcServer.listen('127.0.0.1', 0)
  closers.push(() => grpcServer.stop(1000))
  return {
    port,
    lines,
    swap,
    handled: () => handled,
    writesDone: () => writesDone,
    call: (caller: Certificate | undefined) => {
      const { client } = connectAs(caller && identityOf(caller).identity, port)
      return client.verifyApiKey({ key: 'key' }, { ...options, deadlineMs: 20_000 })
    },
    callPlainly: (caller: Certificate) => {
      const client = new Client(`localhost:${port}`, channelCredentials(identityOf(caller).identity))
      closers.push(() => client.close())
      return plainCall(client, StoresService.method.verifyApiKey, { key: 'key' }, { ...options, deadlineMs: 20_000 })
    },
  }
}

/** A caller with 16 calls in flight at all times, over connections with a short maximum age. */
async function serveUnderLoad() {
  const { port, swap, writesDone } = await serve(server, { streamAgeMs: 100, connectionAgeMs: 200 })
  const counted = await countConnections(port)
  closers.push(counted.close)
  const caller = identityOf(admin)
  const { client } = connectAs(caller.identity, counted.port)
  const failures: unknown[] = []
  let isOver = false
  let made = 0
  let writesMade = 0
  async function keepCalling(): Promise<void> {
    while (!isOver && made < 100_000) {
      made += 1
      const isWrite = made % 2 === 0
      if (isWrite) writesMade += 1
      const call = isWrite ? client.createStore({}, options) : client.verifyApiKey({ key: 'key' }, options)
      await call.catch((error: unknown) => failures.push(error))
    }
  }
  const loops = Promise.all(Array.from({ length: 16 }, keepCalling))
  const stop = async () => {
    isOver = true
    await loops
    return { made, failures, writesMade, writesDone: writesDone() }
  }
  closers.push(stop)
  return {
    port,
    calls: { failures, stop },
    swapServer: swap,
    swapAdmin: caller.swap,
    /** Resolves when many calls have been made over connections opened after this call. */
    turn: async () => {
      const before = { connections: counted.count(), made }
      await vi.waitFor(() => expect(counted.count()).toBeGreaterThan(before.connections + 1), { timeout: 60_000 })
      await vi.waitFor(() => expect(made).toBeGreaterThan(before.made + 100), { timeout: 60_000 })
    },
  }
}

function identityOf(certificate: Certificate): { identity: TlsIdentity; swap(next: Certificate): void } {
  const folder = mkdtempSync(join(tmpdir(), 'tls-'))
  const mounted = mountCertificate(folder, certificate)
  const log = createLogger({ service: 'test', level: 'silent' })
  const identity = createTlsIdentity({ config: mounted.config, log, metrics: createMetrics({ service: 'test' }) })
  closers.push(() => {
    identity.close()
    rmSync(folder, { recursive: true })
  })
  return {
    identity,
    swap(next) {
      mounted.swap(next)
      identity.reload()
    },
  }
}

function connectAs(identity: TlsIdentity | undefined, port: number) {
  const transport = createGrpcTransport({
    to: 'stores',
    address: `localhost:${port}`,
    identity: { name: 'admin-tools', tls: identity, keys: undefined },
  })
  closers.push(() => transport.close())
  return { client: createClient(StoresService, transport) }
}
