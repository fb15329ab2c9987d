import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLogger } from '@storekeep/common/log'
import { createNats, type Nats } from '@storekeep/common/nats'
import { createDatabase, type Database } from '@storekeep/common/postgres'
import {
  createTestHome,
  randomId,
  spawnService,
  startTcpProxy,
  type TcpProxy,
  type TestHome,
  until,
} from '@storekeep/common/testing'
import { type RunningServer, startNats, startPostgres } from '@storekeep/local/infra'
import { WebhooksService } from '@storekeep/proto/webhooks/v1/webhooks_service'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { webhooks } from '../../services/webhooks/src/service.ts'
import { publishBans } from '../../services/webhooks/test/deliveries-harness.ts'
import { endpointInput, inStore } from '../../services/webhooks/test/harness.ts'
import { drip, hang, type Receiver, reset, startReceiver } from '../../services/webhooks/test/receiver.ts'
import { createJudge } from './delivery-judge.ts'

const scale = Number(process.env.TEST_SCALE ?? 1)
/** Attempts of an endpoint that last until the time limit. */
const maxSlow = 24
const log = createLogger({ service: 'test', level: 'silent' })
const entry = new URL('../../services/webhooks/src/main.ts', import.meta.url)

const dir = mkdtempSync(join(tmpdir(), 'storekeep-webhooks-'))
const start: Record<ServerName, (port?: number) => Promise<RunningServer>> = {
  postgres: (port) => startPostgres({ dataDir: join(dir, 'postgres/cluster'), port, fast: true }),
  nats: (port) => startNats({ dataDir: join(dir, 'nats'), port }),
}
type ServerName = 'postgres' | 'nats'

/** The servers that the tests of this file break. */
const servers = new Map<ServerName, RunningServer>()
let home: TestHome
let database: Database
let nats: Nats
let postgres: TcpProxy
let receiver: Receiver & { close(): Promise<void> }
const replicas: Replica[] = []

beforeAll(async () => {
  for (const name of ['postgres', 'nats'] as const) servers.set(name, await start[name]())
  vi.stubEnv('TEST_DATABASE_ADMIN_URL', servers.get('postgres')?.url)
  vi.stubEnv('TEST_NATS_URL', servers.get('nats')?.url)
  home = await createTestHome(webhooks, {
    WEBHOOKS_ALLOW_HTTP: 'true',
    WEBHOOKS_ALLOWED_NETWORKS: '127.0.0.0/8',
    // A lease lasts twice as long.
    WEBHOOKS_TIMEOUT_MS: '1000',
  })
  vi.unstubAllEnvs()
  database = createDatabase({ url: home.databaseUrl, applicationName: 'test', timeLimitFactor: 10, log })
  nats = createNats({ url: home.env.NATS_URL ?? '', name: 'webhooks', log })
  postgres = await startTcpProxy(home.env.DATABASE_URL ?? '')
  receiver = await startReceiver()
  await Promise.all([startReplica(), startReplica()])
})
afterAll(async () => {
  await Promise.all(replicas.splice(0).map(kill))
  await Promise.all([receiver?.close(), nats?.close(), database?.close(), postgres?.close()])
  await Promise.all([...servers.values()].map((server) => server.stop()))
  rmSync(dir, { recursive: true, force: true })
})

type Replica = Awaited<ReturnType<typeof spawnService<typeof WebhooksService>>>

async function startReplica(): Promise<void> {
  replicas.push(
    await spawnService(entry, WebhooksService, { ...home.env, DATABASE_URL: postgres.url, MIGRATE: 'false' }),
  )
}

async function kill({ child, exited, transport }: Replica): Promise<void> {
  child.kill('SIGKILL')
  await exited
  transport.close()
}

async function replace(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
  const replica = replicas.shift()
  replica?.child.kill(signal)
  await replica?.exited
  replica?.transport.close()
  await startReplica()
}

/**
 * Kills a server three times, as a crash does, and starts it again with its data. Changes are written before, during and after each
 * restart.
 */
async function restartThrice(name: ServerName, write: () => Promise<void>): Promise<void> {
  for (let round = 1; round <= 3; round += 1) {
    const written = write()
    const { port } = await crash(name)
    // Without Postgres nothing can be written; without NATS, events wait in the outbox.
    if (name === 'nats') await written
    servers.set(name, await start[name](port))
    await written
  }
}

async function crash(name: ServerName): Promise<RunningServer> {
  const server = servers.get(name)
  if (!server) throw new Error(`${name} was not started`)
  server.kill('SIGKILL')
  await server.exited
  return server
}

/** An endpoint of the store at a new path. */
async function subscribe(options: ReturnType<typeof inStore>): Promise<Endpoint> {
  const path = `/${randomUUID()}`
  const { webhookEndpoint } = await until(async () => {
    return await replicas[0]?.client
      .createWebhookEndpoint(
        { webhookEndpoint: endpointInput({ url: receiver.url(path), eventTypes: ['ban.created', 'ban.updated'] }) },
        options,
      )
      .catch(() => undefined)
  })
  return { id: webhookEndpoint?.id ?? '', path }
}

interface Endpoint {
  id: string
  path: string
}

/** Publishes three versions of this many bans. @returns the number of events */
async function publish(storeId: string, bans: number): Promise<number> {
  const ids = Array.from({ length: bans }, () => randomId())
  for (const version of [1, 2, 3]) {
    for (const id of ids) await publishOnce(storeId, { id, version })
  }
  return 3 * bans
}

/** Repeats a change that fails, unless it was committed nevertheless. */
async function publishOnce(storeId: string, change: { id: string; version: number }): Promise<void> {
  let hasFailed = false
  await until(async () => {
    try {
      if (!hasFailed || !(await isCommitted(storeId, change))) await publishBans({ database }, storeId, [change])
      return true
    } catch (error) {
      hasFailed = true
      throw error
    }
  }, 120_000)
}

async function isCommitted(storeId: string, { id, version }: { id: string; version: number }): Promise<boolean> {
  const rows = await database.query(sql`
    select from outbox where store_id = ${storeId} and aggregate_id = ${id} and aggregate_version = ${version}`)
  return rows.length > 0
}

/** Makes the next attempts due; attempts in flight keep their leases. */
async function skipDelays(): Promise<void> {
  await database.query(sql`update webhook_delivery set due_at = now() where due_at > now() and lease is null`)
  await database.query(sql`update webhook_queue set due_at = now() where due_at > now()`)
}

const { behave, judge } = createJudge(() => receiver)

async function deliverAll(endpoints: readonly Endpoint[], count: number): Promise<void> {
  await until(
    async () => {
      await skipDelays().catch(() => {})
      return endpoints.every((one) => judge(one).events >= count) || undefined
    },
    120_000 + 1000 * count,
  )
}

/** Publishes again after a fault, waits for these events, and asserts that some of those before did not arrive. */
async function expectLoss(name: string, storeId: string, endpoint: Endpoint, before: number): Promise<void> {
  const after = await publish(storeId, 1)
  await deliverAll([endpoint], after)
  const verdict = judge(endpoint)
  process.stderr.write(`${name}: ${JSON.stringify({ published: before + after, ...verdict })}\n`)
  expect(verdict.events).toBeLessThan(before + after)
}

describe('every event is delivered at least once, in order per record, and its duplicates have the same id', () => {
  const faults: Record<string, (write: () => Promise<void>) => Promise<void>> = {
    'a sender killed': () => replace('SIGKILL'),
    'a sender stopped': () => replace('SIGTERM'),
    'both senders killed': async () => {
      await Promise.all([replace('SIGKILL'), replace('SIGKILL')])
    },
    'Postgres connections cut': async () => {
      postgres.cut()
      const fails = ({ client }: Replica) => client.listWebhookEndpoints({}, inStore()).catch(() => true as const)
      await Promise.all(replicas.map((replica) => until(async () => (await fails(replica)) === true || undefined)))
      postgres.pass()
    },
    'the stream deleted': async () => {
      await until(async () => {
        return await nats
          .connection()
          ?.request(`$JS.API.STREAM.DELETE.${home.env.EVENTS_STREAM}`)
          .catch(() => undefined)
      })
    },
    'Postgres killed and restarted three times': (write) => restartThrice('postgres', write),
    'NATS killed and restarted three times': (write) => restartThrice('nats', write),
  }

  it.each(Object.keys(faults))('deliveries survive receivers that fail and %s', async (name) => {
    const options = inStore()
    const [steady, flaky, hanging] = [await subscribe(options), await subscribe(options), await subscribe(options)]
    behave(steady.path, () => ({ status: 200 }))
    // A failing endpoint has two slots: if every event occupied one until the time limit, many events would take an hour.
    let slow = 0
    behave(flaky.path, (attempt) => {
      const chosen = [{ status: 500 }, reset, drip, hang][attempt - 1 + (flakiness++ % 3)] ?? { status: 200 }
      return (chosen === drip || chosen === hang) && slow++ >= maxSlow ? reset : chosen
    })
    behave(hanging.path, () => hang)
    const bans = Math.ceil(4 * scale)
    let count = await publish(options.storeId, bans)
    const write = async () => {
      const written = await publish(options.storeId, Math.ceil(bans / 2))
      count += written
    }
    await Promise.all([faults[name]?.(write), write(), write()])
    await deliverAll([steady, flaky], count)
    const verdict = { steady: judge(steady), flaky: judge(flaky), hanging: judge(hanging) }
    process.stderr.write(`${name}: ${JSON.stringify({ published: count, ...verdict })}\n`)
    for (const one of [verdict.steady, verdict.flaky]) {
      expect(one).toMatchObject({ events: count, mixedUp: 0, outOfOrder: 0 })
    }
    // Nothing waited for the endpoint that never responded.
    expect(verdict.hanging.events).toBe(0)
    expect(verdict.hanging.requests).toBeGreaterThan(0)
    await disable(hanging, options)
  })

  let flakiness = 0

  it('leases that never end lose events (negative control)', async () => {
    const options = inStore()
    const endpoint = await subscribe(options)
    behave(endpoint.path, () => hang)
    const lost = await publish(options.storeId, 1)
    await until(async () => receiver.received(endpoint.path).length > 0 || undefined)
    await database.query(
      sql`update webhook_delivery set due_at = 'infinity' where lease is not null and store_id = ${options.storeId}`,
    )
    await Promise.all([replace('SIGKILL'), replace('SIGKILL')])
    behave(endpoint.path, () => ({ status: 200 }))
    await expectLoss('endless leases', options.storeId, endpoint, lost)
  })

  it('an outbox that does not wait for NATS loses events (negative control)', async () => {
    const options = inStore()
    const endpoint = await subscribe(options)
    behave(endpoint.path, () => ({ status: 200 }))
    const { port } = await crash('nats')
    const lost = await publish(options.storeId, 1)
    await database.query(sql`update outbox set published_at = now() where published_at is null`)
    servers.set('nats', await start.nats(port))
    await expectLoss('no outbox', options.storeId, endpoint, lost)
  })

  it('deliveries that Postgres does not log are lost (negative control)', async () => {
    const options = inStore()
    const endpoint = await subscribe(options)
    behave(endpoint.path, () => hang)
    await database.query(sql`alter table webhook_attempt set unlogged`)
    await database.query(sql`alter table webhook_delivery set unlogged`)
    const lost = await publish(options.storeId, 2)
    await until(async () => receiver.received(endpoint.path).length === 2 || undefined)
    const { port } = await crash('postgres')
    behave(endpoint.path, () => ({ status: 200 }))
    servers.set('postgres', await start.postgres(port))
    await expectLoss('unlogged deliveries', options.storeId, endpoint, lost)
  })
})

async function disable({ id }: Endpoint, options: ReturnType<typeof inStore>): Promise<void> {
  await until(async () => {
    return await replicas[0]?.client
      .updateWebhookEndpoint(
        { webhookEndpointId: id, webhookEndpoint: { enabled: false }, updateMask: { paths: ['enabled'] } },
        options,
      )
      .catch(() => undefined)
  })
}
