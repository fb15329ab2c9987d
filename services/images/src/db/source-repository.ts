import { insertInto, lockName, type Queryable, type Transaction } from '@storekeep/common/postgres'
import sql from 'sql-template-tag'
import type { NamedImage, RecordRef } from '../domain/named-image.ts'

/**
 * Replaces the images that a record names, and deletes the images that nothing names any longer, with their copies.
 * @param images empty if the record was deleted
 * @param options.isCatalog whether the images are fetched before a shopper asks for them
 * @returns the number of images that were ignored because of the limit
 */
export async function replaceReferences(
  tx: Transaction,
  record: RecordRef,
  images: readonly NamedImage[],
  options: InsertOptions & { isCatalog: boolean },
): Promise<number> {
  const { storeId, type, id } = record
  const known = await insertSources(tx, storeId, images, options)
  const ofRecord = sql`store_id = ${storeId} and record_type = ${type} and record_id = ${id}`
  const removed = await tx.query<{ key: string }>(sql`
    delete from image_reference where ${ofRecord} and not key = any(${known}::text[]) returning key`)
  if (known.length > 0) {
    const rows = known.map((key) => ({ store_id: storeId, record_type: type, record_id: id, key }))
    await tx.query(sql`${insertInto('image_reference', rows)} on conflict do nothing`)
    if (options.isCatalog) {
      await tx.query(sql`
        update image_source set awaits_prefetch = true
        where store_id = ${storeId} and key = any(${known}::text[]) and next_fetch_at is null`)
    }
  }
  await deleteUnneeded(
    tx,
    storeId,
    removed.map(({ key }) => key),
  )
  return images.length - known.length
}

/** Keeps images for the pages of an order. @returns the number of images that were ignored because of the limit */
export async function keepImages(
  tx: Transaction,
  storeId: string,
  images: readonly NamedImage[],
  options: InsertOptions & { keptUntil: Date },
): Promise<number> {
  const known = await insertSources(tx, storeId, images, options)
  // At most one write per day and image, however many sessions name it.
  await tx.query(sql`
    update image_source set kept_until = ${options.keptUntil}
    where store_id = ${storeId} and key = any(${known}::text[])
      and coalesce(kept_until < ${options.keptUntil}::timestamptz - interval '1 day', true)`)
  return images.length - known.length
}

interface InsertOptions {
  now: Date
  maxPerStore: number
}

/** Inserts the images that are not known, within the limit. @returns the keys of the known images, in order */
async function insertSources(
  tx: Transaction,
  storeId: string,
  images: readonly NamedImage[],
  { now, maxPerStore }: InsertOptions,
): Promise<string[]> {
  const keys = images.map(({ key }) => key).toSorted()
  // A fixed order prevents deadlocks, and the locks keep others from deleting the sources.
  const select = () =>
    tx.query<{ key: string }>(sql`
      select key from image_source where store_id = ${storeId} and key = any(${keys}::text[]) order by key
      for no key update`)
  const found = new Set((await select()).map(({ key }) => key))
  await tx.query(sql`
    update image_source set named_at = ${now}
    where store_id = ${storeId} and key = any(${keys}::text[]) and named_at < ${now}::timestamptz - interval '1 day'`)
  const missing = images.filter(({ key }) => !found.has(key))
  if (missing.length === 0) return keys
  await lockName(tx, `images of ${storeId}`)
  const room = await makeRoom(tx, storeId, missing.length, maxPerStore)
  const rows = missing
    .slice(0, room)
    .map(({ key, url }) => ({ store_id: storeId, key, url, named_at: now, awaits_prefetch: false }))
  if (rows.length > 0) await tx.query(sql`${insertInto('image_source', rows)} on conflict do nothing`)
  return (await select()).map(({ key }) => key)
}

/**
 * Forgets the images of shoppers that were named longest ago until there is room for more.
 * @returns how many images the store may have in addition, at most `wanted`
 */
async function makeRoom(tx: Transaction, storeId: string, wanted: number, maxPerStore: number): Promise<number> {
  const count = async () => {
    const [row] = await tx.query<{ count: number }>(sql`
      select count(*)::int as count from image_source where store_id = ${storeId}`)
    return row?.count ?? 0
  }
  const before = await count()
  const excess = before + wanted - maxPerStore
  if (excess <= 0) return wanted
  const forgotten = await tx.query<{ key: string }>(sql`
    select key from image_source source where store_id = ${storeId} and not exists (
      select from image_reference reference where reference.store_id = source.store_id and reference.key = source.key
        and reference.record_type <> 'customer'
    ) order by named_at limit ${excess} for update skip locked`)
  await deleteSources(
    tx,
    storeId,
    forgotten.map(({ key }) => key),
  )
  return Math.max(0, wanted - excess + forgotten.length)
}

/** Deletes the images that no record and no session needs. */
async function deleteUnneeded(tx: Transaction, storeId: string, keys: readonly string[]): Promise<void> {
  if (keys.length === 0) return
  const candidates = await tx.query<{ key: string }>(sql`
    select key from image_source where store_id = ${storeId} and key = any(${keys}::text[])
      and kept_until is null order by key for update`)
  // NOTE A separate statement, because its snapshot must be newer than the locks: another record can have named the image.
  await tx.query(sql`
    delete from image_source source where store_id = ${storeId}
      and key = any(${candidates.map(({ key }) => key)}::text[]) and ${isUnnamed}`)
}

/** Deletes images with the references to them. */
async function deleteSources(tx: Transaction, storeId: string, keys: readonly string[]): Promise<void> {
  await tx.query(sql`delete from image_reference where store_id = ${storeId} and key = any(${keys}::text[])`)
  await tx.query(sql`delete from image_source where store_id = ${storeId} and key = any(${keys}::text[])`)
}

/** Ends the time for which sessions kept images, and deletes the images that no record names. @returns how many ended */
export async function endKeptImages(tx: Transaction, now: Date, limit: number): Promise<number> {
  const ended = await tx.query<{ storeId: string; key: string }>(sql`
    select store_id as "storeId", key from image_source
    where kept_until < ${now} order by store_id, key limit ${limit} for update skip locked`)
  for (const [storeId, sources] of Map.groupBy(ended, (source) => source.storeId)) {
    const keys = sources.map(({ key }) => key)
    await tx.query(sql`
      update image_source set kept_until = null where store_id = ${storeId} and key = any(${keys}::text[])`)
    await deleteUnneeded(tx, storeId, keys)
  }
  return ended.length
}

const isUnnamed = sql`not exists (
  select from image_reference reference where reference.store_id = source.store_id and reference.key = source.key
)`

/** What is stored, in all stores. */
export async function measureStorage(db: Queryable): Promise<{ sources: number; bytes: number }> {
  const [row] = await db.query<{ sources: number; bytes: number }>(sql`
    select (select count(*)::int from image_source) as sources,
      pg_total_relation_size('image_variant')::float8 as bytes`)
  return row ?? { sources: 0, bytes: 0 }
}
