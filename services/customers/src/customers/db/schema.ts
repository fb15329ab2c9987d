import { type Columns, selectColumns } from '@storekeep/common/postgres'
import sql, { type Sql } from 'sql-template-tag'
import type { Customer, CustomerState } from '../domain/customer.ts'

/** Rows as the repositories return them. Ids and versions are int8 and therefore strings. */
export interface CustomerRow extends Customer {
  version: string
  createdAt: Date
  updatedAt: Date | null
}

/** The columns of the mutable part of a customer. */
export const stateColumns = {
  steamId: 'steam_id',
  steamName: 'steam_name',
  steamAvatarUrl: 'steam_avatar_url',
  minecraftUuid: 'minecraft_uuid',
  minecraftName: 'minecraft_name',
  minecraftAvatarUrl: 'minecraft_avatar_url',
  minecraftPlatform: 'minecraft_platform',
  xboxXuid: 'xbox_xuid',
  name: 'name',
  metadata: 'metadata',
  signInKey: 'sign_in_key',
} as const satisfies Columns<keyof CustomerState>

export const customerTable = {
  id: 'id',
  storeId: 'store_id',
  ...stateColumns,
  version: 'version',
  createdAt: 'created_at',
  updatedAt: 'updated_at',
} as const satisfies Columns<keyof CustomerRow>

/** Columns of a CustomerRow. */
export const customerColumns = selectColumns(customerTable)

/** Columns of a CustomerRow, without the metadata, which can be long. */
export const profileColumns = selectColumns({ ...customerTable, metadata: `'{}'::jsonb` })

/** The customers with these pairs of store and id, for a `from` clause. */
export function customersByKey(storeIds: readonly string[], ids: readonly string[]): Sql {
  return sql`unnest(${storeIds}::bigint[], ${ids}::bigint[]) as wanted (wanted_store_id, wanted_id)
    join customer on store_id = wanted_store_id and id = wanted_id`
}
