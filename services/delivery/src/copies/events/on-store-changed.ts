import { type EventHandler, onEvent } from '@storekeep/common/events'
import { StoreCreatedSchema, StoreUpdatedSchema } from '@storekeep/proto/stores/v1/events'
import type { AppContext } from '../../context.ts'
import { releaseCommands } from '../../items/steps/release-commands.ts'
import { lockBedrockPlayers, updateFoldedNames } from '../db/player-repository.ts'
import { upsertStore } from '../db/store-copy-repository.ts'
import { storeFromProto } from '../mappers.ts'

/**
 * Stores the game of a store, and if the prefix of its Bedrock players has changed, their names. Releases the commands that waited
 * for the prefix.
 */
export function onStoreChanged(ctx: AppContext): EventHandler {
  return onEvent([StoreCreatedSchema, StoreUpdatedSchema], async (tx, { aggregateId: storeId, message: { store } }) => {
    const game = store && storeFromProto(store)
    if (!game || !(await upsertStore(tx, storeId, game, String(store.version)))) return
    for (let after = '0'; ; ) {
      const players = await lockBedrockPlayers(tx, storeId, { after, limit: batch })
      await updateFoldedNames(tx, players, game)
      if (players.length > 0) await releaseCommands(tx, storeId, players, game, ctx.clock.now())
      const last = players.at(-1)
      if (!last || players.length < batch) return
      after = last.customerId
    }
  })
}

const batch = 1000
