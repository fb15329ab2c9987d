import {
  batchReads,
  expectRow,
  type FindById,
  insertInto,
  type Queryable,
  type Row,
  rowOf,
  setColumns,
  type Transaction,
} from '@storekeep/common/postgres'
import sql from 'sql-template-tag'
import type { CustomerState } from '../domain/customer.ts'
import { searchColumns } from '../domain/search-columns.ts'
import {
  type CustomerRow,
  customerColumns,
  customersByKey,
  customerTable,
  profileColumns,
  stateColumns,
} from './schema.ts'

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
  const row = { ...customer, ...newRow }
  tx.insert('customer', columnsOf(row))
  return row
}

/** @returns undefined when an id or the sign-in key is taken */
export async function insertCustomerIfFree(tx: Transaction, customer: NewCustomer): Promise<CustomerRow | undefined> {
  const [row] = await tx.query<CustomerRow>(
    sql`${insertInto('customer', [columnsOf({ ...customer, ...newRow })])} on conflict do nothing returning ${customerColumns}`,
  )
  return row
}

export function createCustomerFinder(database: Queryable): FindById<CustomerRow> {
  return batchReads(database, (storeIds, ids) => sql`select ${customerColumns} from ${customersByKey(storeIds, ids)}`)
}

/** Customers without their metadata, in any order. Unknown ids are left out. */
export async function findCustomersForProfiles(
  db: Queryable,
  storeId: string,
  ids: readonly string[],
): Promise<CustomerRow[]> {
  if (ids.length === 0) return []
  return await db.query<CustomerRow>(
    sql`select ${profileColumns} from customer where store_id = ${storeId} and id = any(${ids}::bigint[])`,
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
  const values = { ...rowOf(stateColumns, state), ...searchRow(state), updated_at: updatedAt }
  const rows = await tx.query<CustomerRow>(sql`
    update customer set ${setColumns(values)}, version = version + 1
    where store_id = ${storeId} and id = ${id}
    returning ${customerColumns}`)
  return expectRow(rows)
}

const newRow = { version: '1', updatedAt: null }

function columnsOf(customer: CustomerRow): Row {
  const { signInKey, createdAt } = customer
  const signedInAt = signInKey === null ? null : createdAt
  return { ...rowOf(customerTable, customer), signed_in_at: signedInAt, ...searchRow(customer) }
}

function searchRow(customer: CustomerState): Row {
  const { foldedName, foldedMinecraftName, searchText, shortNgrams } = searchColumns(customer)
  return {
    folded_name: foldedName,
    folded_minecraft_name: foldedMinecraftName,
    search_text: searchText,
    short_ngrams: shortNgrams,
  }
}
