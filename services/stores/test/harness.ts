import { randomBytes, randomUUID } from 'node:crypto'
import type { MessageInitShape } from '@bufbuild/protobuf'
import { type CallOptions, type Client, createClient, createGrpcTransport } from '@storekeep/common/grpc'
import { createLogger } from '@storekeep/common/log'
import { createDatabase, type Database } from '@storekeep/common/postgres'
import { childContext, formatTraceparent } from '@storekeep/common/telemetry'
import { ActorType } from '@storekeep/proto/common/v1/actor'
import { Game, type Store } from '@storekeep/proto/stores/v1/store'
import { type CreateStoreRequestSchema, StoresService } from '@storekeep/proto/stores/v1/stores_service'
import { afterAll, beforeAll } from 'vitest'
import { readConfig, type StoresConfig } from '../src/config.ts'
import { type RunningStores, start } from '../src/start.ts'
import { createTestHome, type Env } from './home.ts'

/**
 * The real service on a free port, on real Postgres, NATS and Redis, for all tests of a file. The database, the
 * stream and the Redis keys are the file's own.
 *
 * @param change alters the settings before the start, to put something broken in between
 */
export function useStores(change: (env: Env) => Promise<Env> = async (env) => env): TestStores {
  const clock = createTestClock()
  const logLines: string[] = []
  const log = createLogger({ service: 'stores', level: 'debug', destination: { write: (line) => logLines.push(line) } })
  let parts: Pick<TestStores, 'config' | 'running' | 'client' | 'database'> & { close(): Promise<void> }

  beforeAll(async () => {
    const home = await createTestHome()
    const config = readConfig(await change(home.env))
    const running = await start(config, { log, clock })
    const transport = createGrpcTransport({ address: running.address })
    const database = createDatabase({ url: home.databaseUrl, applicationName: 'test', log })
    const close = async () => {
      transport.close()
      await running.stop()
      await database.close()
      await home.drop()
    }
    parts = { config, running, client: createClient(StoresService, transport), database, close }
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
  }
}

export interface TestStores {
  config: StoresConfig
  running: RunningStores
  client: Client<typeof StoresService>
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

/** Options of a call by the operator, or on behalf of a store. */
export function operator(options: Partial<CallOptions> = {}): CallOptions {
  return {
    actor: { type: ActorType.ADMIN },
    requestId: randomUUID(),
    traceparent: formatTraceparent(childContext()),
    deadlineMs: 10_000,
    ...options,
  }
}

export function withKey(key: string = randomUUID()): CallOptions {
  return operator({ idempotency: { key, scope: 'POST /test' } })
}

/** A valid request with a slug of its own. */
export function storeRequest(
  change: MessageInitShape<typeof CreateStoreRequestSchema> = {},
): MessageInitShape<typeof CreateStoreRequestSchema> {
  return { slug: `store-${randomBytes(6).toString('hex')}`, name: 'Isles', game: Game.RUST, currency: 'eur', ...change }
}

export async function createTestStore({ client }: TestStores): Promise<Store> {
  const { store } = await client.createStore(storeRequest(), operator())
  if (!store) throw new Error('CreateStore answered no store')
  return store
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
