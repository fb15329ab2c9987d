import { randomUUID } from 'node:crypto'
import type { MessageInitShape } from '@bufbuild/protobuf'
import { type CallOptions, type Client, createClient, createGrpcTransport } from '@storekeep/common/grpc'
import { createLogger } from '@storekeep/common/log'
import { createDatabase, type Database } from '@storekeep/common/postgres'
import { childContext, formatTraceparent } from '@storekeep/common/telemetry'
import { ActorType } from '@storekeep/proto/common/v1/actor'
import type { Customer } from '@storekeep/proto/customers/v1/customer'
import { type CustomerInputSchema, CustomersService } from '@storekeep/proto/customers/v1/customers_service'
import { afterAll, beforeAll } from 'vitest'
import { type CustomersConfig, readConfig } from '../src/config.ts'
import { type RunningCustomers, start } from '../src/start.ts'
import { type FakeStores, randomId, startFakeStores } from './fake-stores.ts'
import { createTestHome, type Env } from './home.ts'

/**
 * The real service on a free port, on real Postgres, NATS and Redis, for all tests of a file. The database, the
 * stream and the Redis keys are the file's own. The stores service is a fake one, `stores`.
 *
 * @param change alters the settings before the start, to put something else in between
 */
export function useCustomers(change: (env: Env) => Promise<Env> = async (env) => env): TestCustomers {
  const clock = createTestClock()
  const logLines: string[] = []
  const log = createLogger({
    service: 'customers',
    level: 'debug',
    destination: { write: (line) => logLines.push(line) },
  })
  let parts: Omit<TestCustomers, 'clock' | 'logLines'> & { close(): Promise<void> }

  beforeAll(async () => {
    const home = await createTestHome()
    const stores = await startFakeStores()
    const config = readConfig(await change({ ...home.env, STORES_ADDRESS: stores.address }))
    const running = await start(config, { log, clock })
    const transport = createGrpcTransport({ address: running.address })
    const database = createDatabase({ url: home.databaseUrl, applicationName: 'test', log })
    const close = async () => {
      transport.close()
      await running.stop()
      await stores.close()
      await database.close()
      await home.drop()
    }
    parts = { config, running, stores, database, close, client: createClient(CustomersService, transport) }
  })
  afterAll(() => parts.close())

  return {
    clock,
    logLines,
    get config() {
      return parts.config
    },
    get running() {
      return parts.running
    },
    get client() {
      return parts.client
    },
    get database() {
      return parts.database
    },
    get stores() {
      return parts.stores
    },
  }
}

export interface TestCustomers {
  config: CustomersConfig
  running: RunningCustomers
  client: Client<typeof CustomersService>
  stores: FakeStores
  /** The service's own role, for looking at its tables. */
  database: Database
  clock: TestClock
  /** What the service has logged. */
  logLines: string[]
}

export interface TestClock {
  now(): Date
  advance(milliseconds: number): void
}

/** Options of a call with an API key of the store; of a store of its own when none is given. */
export function inStore(storeId: string = randomId(), options: Partial<InStore> = {}): InStore {
  return {
    storeId,
    actor: { type: ActorType.API_KEY, id: '411486491630370817' },
    requestId: randomUUID(),
    traceparent: formatTraceparent(childContext()),
    deadlineMs: 10_000,
    ...options,
  }
}

type InStore = CallOptions & { storeId: string }

/** The same call with an Idempotency-Key. */
export function withKey(options: InStore, key: string = randomUUID()): InStore {
  return { ...options, idempotency: { key, scope: 'POST /test' } }
}

export type Input = MessageInitShape<typeof CustomerInputSchema>

let counter = 0

/** A Steam ID 64 that no other customer of the test run has. */
export function newSteamId(): string {
  counter += 1
  return `7656119797${String(counter).padStart(7, '0')}`
}

export async function createTestCustomer(
  { client }: TestCustomers,
  options: CallOptions,
  input: Input = { steamId: newSteamId() },
): Promise<Customer> {
  const { customer } = await client.createCustomer({ customer: input }, options)
  if (!customer) throw new Error('CreateCustomer answered no customer')
  return customer
}

/** The fault that a call fails with. */
export async function faultOf(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => {
      throw new Error('the call was answered')
    },
    (error: unknown) => error,
  )
}

/** "path validation" of every violation of the fault that a call fails with. */
export async function violationsOf(call: Promise<unknown>): Promise<string[]> {
  const fault = await faultOf(call)
  const { violations = [] } = fault as { violations?: { path: string; validation: string }[] }
  return violations.map(({ path, validation }) => `${path} ${validation}`)
}

function createTestClock(): TestClock {
  let ahead = 0
  return {
    now: () => new Date(Date.now() + ahead),
    advance(milliseconds) {
      ahead += milliseconds
    },
  }
}
