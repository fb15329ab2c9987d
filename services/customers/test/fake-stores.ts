import type { MessageInitShape } from '@bufbuild/protobuf'
import { errors } from '@storekeep/common/errors'
import { randomId, useFakeService } from '@storekeep/common/testing'
import { Game, type StoreSchema } from '@storekeep/proto/stores/v1/store'
import { StoresService } from '@storekeep/proto/stores/v1/stores_service'

/** Starts a fake stores service over real gRPC for the tests of a file. */
export function useFakeStores(): FakeStores {
  const known = new Map<string, MessageInitShape<typeof StoreSchema>>()
  const service = useFakeService(StoresService, {
    getStore: async (_request, call) => {
      fake.calls += 1
      if (fake.isDown) throw errors.unavailable()
      const store = known.get(call.storeId ?? '')
      if (!store) throw errors.notFound('store')
      return { store }
    },
  })
  const fake = Object.assign(service, {
    calls: 0,
    isDown: false,
    add(game: Game = Game.MINECRAFT, bedrockPrefix = '.') {
      const id = randomId()
      known.set(id, { id, game, bedrockPrefix, slug: `store-${id}`, name: 'Isles', currency: 'eur' })
      return id
    },
  })
  return fake
}

export interface FakeStores {
  /** Set once the tests run. */
  address: string
  /** Number of calls received. */
  calls: number
  /** While true, every call fails as unavailable. */
  isDown: boolean
  /** @returns the id of the new store */
  add(game?: Game, bedrockPrefix?: string): string
}
