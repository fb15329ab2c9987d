import { type Columns, selectColumns } from '@storekeep/common/postgres'
import { fieldsOf } from '@storekeep/common/values'
import { type StoreDetails, type StoreState, storeDetailFields } from '../domain/store.ts'

/** Rows as the repositories return them. Ids and versions are int8 and therefore strings. */
export interface StoreRow extends StoreState {
  id: string
  version: string
  createdAt: Date
  updatedAt: Date | null
}

/** The columns of the details are named as in the API: "links_terms" for "links.terms". */
export const detailColumns = Object.fromEntries(
  fieldsOf(storeDetailFields).map((field) => [field, storeDetailFields[field].replace('.', '_')]),
) as Columns<keyof StoreDetails>

export const identityColumns = {
  slug: 'slug',
  game: 'game',
  currency: 'currency',
  bedrockPrefix: 'bedrock_prefix',
} as const

/** Columns of a StoreRow. */
export const storeColumns = selectColumns({
  id: 'id',
  ...identityColumns,
  ...detailColumns,
  version: 'version',
  createdAt: 'created_at',
  updatedAt: 'updated_at',
} satisfies Columns<keyof StoreRow>)
