import {
  type Audit,
  auditColumns,
  type Columns,
  expectRow,
  lockName,
  type Queryable,
  rowOf,
  selectColumns,
  setColumns,
  type Transaction,
  type UniqueRule,
  unchanged,
} from '@storekeep/common/postgres'
import sql from 'sql-template-tag'
import { type TagState, tagFields } from '../domain/tag.ts'

/** A tag as the repository returns it. Ids are int8 and therefore strings. */
export interface TagRow extends TagState, Audit {
  id: string
  storeId: string
}

/** A tag to insert. */
export type NewTag = Omit<TagRow, keyof typeof unchanged>

/** No two tags of a store have the same slug. */
export const takenTagSlug: UniqueRule = {
  paths: { tag_slug_unique: 'slug' },
  message: 'Another tag of this store has this slug.',
  problem: 'belongs to another tag of this store',
}

/** Inserts the tag with the commit, which fails if the slug is taken; see `takenTagSlug`. @returns the row */
export function insertTag(tx: Transaction, tag: NewTag): TagRow {
  const row = { ...tag, ...unchanged }
  tx.insert('tag', rowOf(tagTable, row))
  return row
}

/** The number of tags of a store. Serializes the transactions that create some, until they end. */
export async function countTagsForCreate(tx: Transaction, storeId: string): Promise<number> {
  await lockName(tx, `tags of ${storeId}`)
  const rows = await tx.query<{ count: number }>(sql`
    select count(*)::int as count from tag where store_id = ${storeId}`)
  return expectRow(rows).count
}

export async function findTag(db: Queryable, storeId: string, id: string): Promise<TagRow | undefined> {
  const [row] = await db.query<TagRow>(sql`
    select ${tagColumns} from tag where store_id = ${storeId} and id = ${id}`)
  return row
}

export async function findTagIdBySlug(db: Queryable, storeId: string, slug: string): Promise<string | undefined> {
  const [row] = await db.query<{ id: string }>(sql`
    select id from tag where store_id = ${storeId} and slug is not null and lower(slug) = lower(${slug})`)
  return row?.id
}

/** All tags of the store, newest first. */
export async function selectTags(db: Queryable, storeId: string): Promise<TagRow[]> {
  return await db.query<TagRow>(sql`select ${tagColumns} from tag where store_id = ${storeId} order by id desc`)
}

/** Locks the tag until the transaction ends. */
export async function lockTag(tx: Transaction, storeId: string, id: string): Promise<TagRow | undefined> {
  const [row] = await tx.query<TagRow>(sql`
    select ${tagColumns} from tag where store_id = ${storeId} and id = ${id} for no key update`)
  return row
}

/**
 * Writes a tag that the transaction has locked, and increments its version.
 * @throws pg.DatabaseError if the slug is taken; see `takenTagSlug`
 */
export async function updateTagFields(
  tx: Transaction,
  { storeId, id }: TagRow,
  tag: TagState,
  { updatedBy, updatedAt }: { updatedBy: string; updatedAt: Date },
): Promise<TagRow> {
  const values = { ...rowOf(tagFields, tag), updated_by: updatedBy, updated_at: updatedAt }
  const rows = await tx.query<TagRow>(sql`
    update tag set ${setColumns(values)}, version = version + 1
    where store_id = ${storeId} and id = ${id}
    returning ${tagColumns}`)
  return expectRow(rows)
}

export async function deleteLockedTag(tx: Transaction, { storeId, id }: TagRow): Promise<void> {
  await tx.query(sql`delete from tag where store_id = ${storeId} and id = ${id}`)
}

const tagTable = {
  id: 'id',
  storeId: 'store_id',
  ...tagFields,
  ...auditColumns,
} as const satisfies Columns<keyof TagRow>

export const tagColumns = selectColumns(tagTable)
