import { type EventHandler, onEvent, onEvents } from '@storekeep/common/events'
import {
  CustomerCreatedSchema,
  CustomerDeletedSchema,
  CustomerUpdatedSchema,
} from '@storekeep/proto/customers/v1/events'
import type { AppContext } from '../../context.ts'
import { eraseCustomer } from '../../items/steps/erase-customer.ts'
import { releaseCommands } from '../../items/steps/release-commands.ts'
import { deleteJoinsOf } from '../../queue/db/join-repository.ts'
import { upsertPlayers } from '../db/player-repository.ts'
import { lockStores } from '../db/store-copy-repository.ts'
import { playerFromProto } from '../mappers.ts'

/** Stores the identities of customers, and releases the commands that waited for one of them. */
export function onCustomerChanged(ctx: AppContext): EventHandler {
  return onEvents([CustomerCreatedSchema, CustomerUpdatedSchema], async (tx, events) => {
    const players = events.flatMap(({ message: { customer } }) => (customer ? [playerFromProto(customer)] : []))
    const stores = await lockStores(tx, [...new Set(players.map(({ storeId }) => storeId))])
    const storeOf = (storeId: string) => stores.get(storeId)
    await upsertPlayers(tx, players, storeOf)
    await releaseCommands(tx, players, storeOf, ctx.clock.now())
  })
}

/** Removes the identities of a deleted customer, and the addresses from which the customer has joined. */
export function onCustomerDeleted(ctx: AppContext): EventHandler {
  return onEvent(CustomerDeletedSchema, async (tx, { storeId, aggregateId }) => {
    if (storeId === undefined) return
    await eraseCustomer(tx, storeId, aggregateId, ctx.clock.now())
    await deleteJoinsOf(tx, storeId, aggregateId)
  })
}
