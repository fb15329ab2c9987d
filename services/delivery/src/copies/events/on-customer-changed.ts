import { type EventHandler, onEvent, onEvents } from '@storekeep/common/events'
import {
  CustomerCreatedSchema,
  CustomerDeletedSchema,
  CustomerUpdatedSchema,
} from '@storekeep/proto/customers/v1/events'
import { deletePlayer, upsertPlayers } from '../db/player-repository.ts'
import { lockStores } from '../db/store-copy-repository.ts'
import { playerFromProto } from '../mappers.ts'

/** Stores the identities of customers. */
export function onCustomerChanged(): EventHandler {
  return onEvents([CustomerCreatedSchema, CustomerUpdatedSchema], async (tx, events) => {
    const players = events.flatMap(({ message: { customer } }) => (customer ? [playerFromProto(customer)] : []))
    const stores = await lockStores(tx, [...new Set(players.map(({ storeId }) => storeId))])
    await upsertPlayers(tx, players, (storeId) => stores.get(storeId))
  })
}

/** Removes the identities of a deleted customer. */
export function onCustomerDeleted(): EventHandler {
  return onEvent(CustomerDeletedSchema, async (tx, { storeId, aggregateId }) => {
    if (storeId !== undefined) await deletePlayer(tx, storeId, aggregateId)
  })
}
