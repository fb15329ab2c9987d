import { randomBytes } from 'node:crypto'
import type { MessageInitShape } from '@bufbuild/protobuf'
import { type Env, operator, type TestService, useService } from '@storekeep/common/testing'
import { file_storekeep_stores_v1_events as events } from '@storekeep/proto/stores/v1/events'
import { Game, type Store } from '@storekeep/proto/stores/v1/store'
import { type CreateStoreRequestSchema, StoresService } from '@storekeep/proto/stores/v1/stores_service'
import { readConfig, type StoresConfig } from '../src/config.ts'
import { stores as service } from '../src/service.ts'

/** The settings specific to this service. */
export const settings: Env = { API_KEY_PEPPER: randomBytes(32).toString('base64url') }

/** See `useService`. */
export function useStores(change?: (env: Env) => Promise<Env>): TestStores {
  return useService({ service, definition: StoresService, events, readConfig, settings, change })
}

export type TestStores = TestService<StoresConfig, typeof StoresService>

/** A valid request with a unique slug. */
export function storeRequest(
  change: MessageInitShape<typeof CreateStoreRequestSchema> = {},
): MessageInitShape<typeof CreateStoreRequestSchema> {
  return { slug: `store-${randomBytes(6).toString('hex')}`, name: 'Isles', game: Game.RUST, currency: 'eur', ...change }
}

export async function createTestStore({ client }: TestStores): Promise<Store> {
  const { store } = await client.createStore(storeRequest(), operator())
  if (!store) throw new Error('CreateStore returned no store')
  return store
}
