import type { Queryable, Transaction } from '@storekeep/common/postgres'
import sql from 'sql-template-tag'
import type { IdOwner, UniqueIds } from '../domain/customer-batch.ts'
import { insertCustomer, type NewCustomer } from './customer-repository.ts'
import type { CustomerRow } from './schema.ts'

/**
 * Like `insertCustomer`, for several customers. Inserts them in the order of their account ids, so that concurrent batches
 * with the same ids wait for each other instead of deadlocking.
 */
export function insertCustomers(tx: Transaction, customers: readonly NewCustomer[]): CustomerRow[] {
  const order = (ids: UniqueIds) => `${ids.steamId} ${ids.minecraftUuid} ${ids.xboxXuid}`
  const sorted = customers.toSorted((a, b) => (order(a) < order(b) ? -1 : 1))
  const rows = new Map(sorted.map((customer) => [customer.id, insertCustomer(tx, customer)]))
  return customers.flatMap(({ id }) => rows.get(id) ?? [])
}

/** Returns the store's customers that have any id of the drafts. */
export async function findIdOwners(db: Queryable, storeId: string, drafts: readonly UniqueIds[]): Promise<IdOwner[]> {
  return await db.query<IdOwner>(sql`
    select id, steam_id as "steamId", minecraft_uuid as "minecraftUuid", xbox_xuid as "xboxXuid" from customer
    where store_id = ${storeId} and steam_id = any(${present(drafts, 'steamId')}::bigint[])
    union
    select id, steam_id, minecraft_uuid, xbox_xuid from customer
    where store_id = ${storeId} and minecraft_uuid = any(${present(drafts, 'minecraftUuid')}::uuid[])
    union
    select id, steam_id, minecraft_uuid, xbox_xuid from customer
    where store_id = ${storeId} and xbox_xuid = any(${present(drafts, 'xboxXuid')}::text[])`)
}

function present(drafts: readonly UniqueIds[], name: keyof UniqueIds): string[] {
  return drafts.map((draft) => draft[name]).filter((id) => id !== null)
}
