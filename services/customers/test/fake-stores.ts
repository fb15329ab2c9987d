import { randomBytes } from 'node:crypto'
import type { MessageInitShape } from '@bufbuild/protobuf'
import { errors } from '@storekeep/common/errors'
import { bind, createGrpcServer, type Handlers } from '@storekeep/common/grpc'
import { createLogger } from '@storekeep/common/log'
import { createMetrics } from '@storekeep/common/telemetry'
import { Game, type StoreSchema } from '@storekeep/proto/stores/v1/store'
import { StoresService } from '@storekeep/proto/stores/v1/stores_service'

/** A stores service that knows the stores of the test, over real gRPC. */
export async function startFakeStores(): Promise<FakeStores> {
  const known = new Map<string, MessageInitShape<typeof StoreSchema>>()
  const fake = { calls: 0, away: false }
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
  const port = await server.listen('127.0.0.1', 0)
  return Object.assign(fake, {
    address: `127.0.0.1:${port}`,
    add(game: Game = Game.MINECRAFT, bedrockPrefix = '.') {
      const id = randomId()
      known.set(id, { id, game, bedrockPrefix, slug: `store-${id}`, name: 'Isles', currency: 'eur' })
      return id
    },
    close: () => server.stop(1000),
  })
}

/** A flake id that nobody has. */
export function randomId(): string {
  return (randomBytes(8).readBigUInt64BE() >> 2n).toString()
}

export interface FakeStores {
  address: string
  /** How often it was asked. */
  calls: number
  /** Set it to have every call fail. */
  away: boolean
  /** @returns the id of the new store */
  add(game?: Game, bedrockPrefix?: string): string
  close(): Promise<void>
}
