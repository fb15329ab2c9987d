import { randomBytes } from 'node:crypto'
import type { MessageInitShape } from '@bufbuild/protobuf'
import { errors } from '@storekeep/common/errors'
import { bind, createGrpcServer, type Handlers } from '@storekeep/common/grpc'
import { createLogger } from '@storekeep/common/log'
import { createMetrics } from '@storekeep/common/telemetry'
import { Game, type StoreSchema } from '@storekeep/proto/stores/v1/store'
import { StoresService } from '@storekeep/proto/stores/v1/stores_service'
import { afterAll, beforeAll } from 'vitest'

/** A stores service that knows the stores of the test, over real gRPC, for all tests of a file. */
export function useFakeStores(): FakeStores {
  const known = new Map<string, MessageInitShape<typeof StoreSchema>>()
  const fake = { address: '', calls: 0, away: false }
  const refuse = () => Promise.reject(new Error('not part of these tests'))
  const handlers = {
    ...Object.fromEntries(Object.keys(StoresService.method).map((name) => [name, refuse])),
    getStore: async (_request: unknown, call: { storeId: string | undefined }) => {
      fake.calls += 1
      if (fake.away) throw errors.unavailable()
      const store = known.get(call.storeId ?? '')
      if (!store) throw errors.notFound('store')
      return { store }
    },
  } as unknown as Handlers<typeof StoresService>
  const server = createGrpcServer({
    services: [bind(StoresService, handlers)],
    log: createLogger({ service: 'test', level: 'silent' }),
    metrics: createMetrics({ service: 'test' }),
    ready: async () => true,
  })
  beforeAll(async () => {
    fake.address = `127.0.0.1:${await server.listen('127.0.0.1', 0)}`
  })
  afterAll(() => server.stop(1000))
  return Object.assign(fake, {
    add(game: Game = Game.MINECRAFT, bedrockPrefix = '.') {
      const id = randomId()
      known.set(id, { id, game, bedrockPrefix, slug: `store-${id}`, name: 'Isles', currency: 'eur' })
      return id
    },
  })
}

/** A flake id that nobody has. */
export function randomId(): string {
  return (randomBytes(8).readBigUInt64BE() >> 2n).toString()
}

export interface FakeStores {
  /** Known when the tests run. */
  address: string
  /** How often it was asked. */
  calls: number
  /** Set it to have every call fail. */
  away: boolean
  /** @returns the id of the new store */
  add(game?: Game, bedrockPrefix?: string): string
}
