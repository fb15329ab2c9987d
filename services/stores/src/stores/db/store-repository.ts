import { expectRow, type Queryable, type Transaction, type UniqueRule } from '@storekeep/common/postgres'
import sql from 'sql-template-tag'
import type { StoreDraft } from '../domain/store.ts'
import { type StoreRow, storeColumns } from './schema.ts'

/** @throws pg.DatabaseError when the slug is taken; see `uniqueSlug` */
export async function insertStore(tx: Transaction, draft: StoreDraft & { createdAt: Date }): Promise<StoreRow> {
  const rows = await tx.query<StoreRow>(sql`
    insert into store (slug, name, game, currency, logo_url, logo_square_url, bedrock_prefix, accent_color, created_at)
    values (${draft.slug}, ${draft.name}, ${draft.game}, ${draft.currency},
      ${draft.logoUrl}, ${draft.logoSquareUrl}, ${draft.bedrockPrefix}, ${draft.accentColor}, ${draft.createdAt})
    returning ${storeColumns}`)
  return expectRow(rows)
}

export async function findStore(db: Queryable, id: string): Promise<StoreRow | undefined> {
  const [row] = await db.query<StoreRow>(sql`select ${storeColumns} from store where id = ${id}`)
  return row
}

/** Oldest first. */
export async function selectStores(db: Queryable): Promise<StoreRow[]> {
  return await db.query<StoreRow>(sql`select ${storeColumns} from store order by id`)
}

export async function storeExists(db: Queryable, id: string): Promise<boolean> {
  const rows = await db.query(sql`select 1 from store where id = ${id}`)
  return rows.length > 0
}

/** Locks the store until the transaction ends. @returns false for an unknown store */
export async function lockStore(tx: Transaction, id: string): Promise<boolean> {
  const rows = await tx.query(sql`select 1 from store where id = ${id} for no key update`)
  return rows.length > 0
}

/** Writes a locked store, and increments its version. */
export async function updateStore(tx: Transaction, store: StoreRow, updatedAt: Date): Promise<StoreRow> {
  const rows = await tx.query<StoreRow>(sql`
    update store set name = ${store.name}, logo_url = ${store.logoUrl}, logo_square_url = ${store.logoSquareUrl},
      accent_color = ${store.accentColor}, version = version + 1, updated_at = ${updatedAt}
    where id = ${store.id} returning ${storeColumns}`)
  return expectRow(rows)
}

/** Slugs are unique across all stores. */
export const uniqueSlug: UniqueRule = {
  paths: { store_slug_unique: 'slug' },
  message: 'Another store has this slug.',
  problem: 'is taken',
}
