import { randomBytes } from 'node:crypto'
import type { MessageInitShape } from '@bufbuild/protobuf'
import type { CallOptions } from '@storekeep/common/grpc'
import { createLogger } from '@storekeep/common/log'
import { createRedis } from '@storekeep/common/redis'
import { type Env, randomId, type TestService, useService, withApiKey } from '@storekeep/common/testing'
import type { Customer, CustomerInputSchema } from '@storekeep/proto/customers/v1/customer'
import { CustomersService } from '@storekeep/proto/customers/v1/customers_service'
import { file_storekeep_customers_v1_events as events } from '@storekeep/proto/customers/v1/events'
import { expect } from 'vitest'
import { type CustomersConfig, readConfig } from '../src/config.ts'
import { customers as service } from '../src/service.ts'
import { type FakeStores, useFakeStores } from './fake-stores.ts'

/** The settings specific to this service. */
export const settings: Env = {
  TOKEN_KEYS: `1:${randomBytes(32).toString('base64url')}`,
  PORTAL_BASE_URL: 'https://portal.example/',
  STORE_BASE_URL: 'https://shop.example/store/',
  STORES_ADDRESS: '127.0.0.1:1',
}

/** Waits longer for providers, because the machine may be busy. */
function readTestConfig(env: Env): CustomersConfig {
  const config = readConfig(env)
  const { profiles, steamSignIn } = config
  return {
    ...config,
    profiles: { ...profiles, timeoutMs: 5000 },
    steamSignIn: { ...steamSignIn, timeoutMs: 15_000 },
  }
}

/** See `useService`. `stores` is a fake stores service. */
export function useCustomers(change: (env: Env) => Promise<Env> = async (env) => env): TestCustomers {
  const stores = useFakeStores()
  const customers = useService({
    service,
    definition: CustomersService,
    events,
    readConfig: readTestConfig,
    settings,
    change: (env) => change({ ...env, STORES_ADDRESS: stores.address }),
  })
  return Object.assign(customers, { stores })
}

export type TestCustomers = TestService<CustomersConfig, typeof CustomersService> & { stores: FakeStores }

/** Call options with an API key of the store; of a new store unless one is given. */
export function inStore(storeId: string = randomId(), options: Partial<CallOptions> = {}) {
  return withApiKey(storeId, options)
}

export type Input = MessageInitShape<typeof CustomerInputSchema>

let counter = 0

/** A SteamID64 that is unique in the test run. */
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
  if (!customer) throw new Error('CreateCustomer returned no customer')
  return customer
}

/** The minimum token epoch in Redis, of a customer or a store. */
export async function minimumEpoch({ config }: TestCustomers, ...parts: string[]): Promise<string | null> {
  const { url, keyPrefix } = config.redis
  const log = createLogger({ service: 'test', level: 'silent' })
  const redis = createRedis({ url, keyPrefix, commandTimeoutMs: 2000, log })
  await expect.poll(() => redis.isReady()).toBe(true)
  const [value = null] = await redis.getAll([['epoch', ...parts].join(':')])
  await redis.close()
  return value
}

/** The number of minimum epochs that the service could not write to Redis in time. */
export function missedRedisWrites({ logLines }: TestCustomers): number {
  return logLines.filter((line) => line.includes('redis write of a token revocation failed')).length
}
