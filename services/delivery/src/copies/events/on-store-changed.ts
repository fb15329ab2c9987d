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
    // All players before any queue, as everywhere.
    const players = await lockBedrockPlayers(tx, storeId)
    await updateFoldedNames(tx, players, game)
    await releaseCommands(tx, players, () => game, ctx.clock.now())
  })
}
