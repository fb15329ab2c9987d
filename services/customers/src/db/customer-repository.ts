import {
  batchReads,
  type FindById,
  insertInto,
  type Queryable,
  type Row,
  type Transaction,
} from '@storekeep/common/postgres'
import sql from 'sql-template-tag'
import type { CustomerState } from '../domain/customer.ts'
import { searchColumns } from '../domain/search-columns.ts'
import { type CustomerRow, customerColumns, customersByKey, nameColumns } from './schema.ts'

export interface NewCustomer extends CustomerState {
  id: string
  storeId: string
  createdAt: Date
}

/**
 * Inserts the customer with the commit, which fails if an id is taken; see `uniqueAccountIds`.
 * @returns the row
 */
export function insertCustomer(tx: Transaction, customer: NewCustomer): CustomerRow {
  tx.insert('customer', columnsOf(customer))
  return { ...customer, version: '1', updatedAt: null }
}

/** @returns undefined when an id or the sign-in key is taken */
export async function insertCustomerIfFree(tx: Transaction, customer: NewCustomer): Promise<CustomerRow | undefined> {
  const [row] = await tx.query<CustomerRow>(
    sql`${insertInto('customer', [columnsOf(customer)])} on conflict do nothing returning ${customerColumns}`,
  )
  return row
}

export function createCustomerFinder(database: Queryable): FindById<CustomerRow> {
  return batchReads(database, (storeIds, ids) => sql`select ${customerColumns} from ${customersByKey(storeIds, ids)}`)
}

/** Customers without their metadata, in any order. Unknown ids are left out. */
export async function findCustomersForNames(
  db: Queryable,
  storeId: string,
  ids: readonly string[],
): Promise<CustomerRow[]> {
  if (ids.length === 0) return []
  return await db.query<CustomerRow>(
    sql`select ${nameColumns} from customer where store_id = ${storeId} and id = any(${ids}::bigint[])`,
  )
}

/** Locks the customer against changes until the transaction ends. */
export async function lockCustomer(tx: Transaction, storeId: string, id: string): Promise<CustomerRow | undefined> {
  const [row] = await tx.query<CustomerRow>(
    sql`select ${customerColumns} from customer where store_id = ${storeId} and id = ${id} for no key update`,
  )
  return row
}

/**
 * Writes the new state of a locked customer and increments its version.
 * @throws pg.DatabaseError when an id is taken; see `uniqueAccountIds`
 */
export async function updateCustomerState(
  tx: Transaction,
  { storeId, id }: Pick<CustomerRow, 'storeId' | 'id'>,
  state: CustomerState,
  updatedAt: Date,
): Promise<CustomerRow> {
  const columns = searchColumns(state)
  const [row] = await tx.query<CustomerRow>(sql`
    update customer set
      steam_id = ${state.steamId}, steam_name = ${state.steamName}, steam_avatar_url = ${state.steamAvatarUrl},
      minecraft_uuid = ${state.minecraftUuid}, minecraft_name = ${state.minecraftName},
      minecraft_avatar_url = ${state.minecraftAvatarUrl}, minecraft_platform = ${state.minecraftPlatform},
      xbox_xuid = ${state.xboxXuid}, name = ${state.name}, metadata = ${JSON.stringify(state.metadata)},
      sign_in_key = ${state.signInKey}, folded_name = ${columns.foldedName},
      folded_minecraft_name = ${columns.foldedMinecraftName}, search_text = ${columns.searchText},
      short_ngrams = ${columns.shortNgrams}, updated_at = ${updatedAt}, version = version + 1
    where store_id = ${storeId} and id = ${id}
    returning ${customerColumns}`)
  if (!row) throw new Error('locked customer not found')
  return row
}

function columnsOf(customer: NewCustomer): Row {
  const columns = searchColumns(customer)
  return {
    id: customer.id,
    store_id: customer.storeId,
    steam_id: customer.steamId,
    minecraft_uuid: customer.minecraftUuid,
    minecraft_name: customer.minecraftName,
    minecraft_avatar_url: customer.minecraftAvatarUrl,
    minecraft_platform: customer.minecraftPlatform,
    xbox_xuid: customer.xboxXuid,
    name: customer.name,
    metadata: customer.metadata,
    sign_in_key: customer.signInKey,
    signed_in_at: customer.signInKey === null ? null : customer.createdAt,
    folded_name: columns.foldedName,
    folded_minecraft_name: columns.foldedMinecraftName,
    search_text: columns.searchText,
    short_ngrams: columns.shortNgrams,
    created_at: customer.createdAt,
  }
}
