import { type EventHandler, onEvent } from '@storekeep/common/events'
import { StoreCreatedSchema, StoreUpdatedSchema } from '@storekeep/proto/stores/v1/events'
import { lockBedrockPlayers, updateFoldedNames } from '../db/player-repository.ts'
import { upsertStore } from '../db/store-copy-repository.ts'
import { storeFromProto } from '../mappers.ts'

/** Stores the game of a store, and the names of its Bedrock players if their prefix has changed. */
export function onStoreChanged(): EventHandler {
  return onEvent([StoreCreatedSchema, StoreUpdatedSchema], async (tx, { aggregateId: storeId, message: { store } }) => {
    const game = store && storeFromProto(store)
    if (!game || !(await upsertStore(tx, storeId, game, String(store.version)))) return
    for (let after = '0'; ; ) {
      const players = await lockBedrockPlayers(tx, storeId, { after, limit: batch })
      await updateFoldedNames(tx, players, game)
      const last = players.at(-1)
      if (!last || players.length < batch) return
      after = last.customerId
    }
  })
}

const batch = 1000
