import { insertInto, type Queryable, type Transaction } from '@storekeep/common/postgres'
import type { ImageWidth } from '@storekeep/proto/conventions/image-address'
import sql from 'sql-template-tag'
import type { ImageFailureReason } from '../domain/image-failure.ts'
import type { Variant } from '../domain/variant.ts'

/** Identifies an image. */
export interface ImageRef {
  storeId: string
  key: string
}

/** A copy of an image. */
export interface ImageCopy {
  /** Whether the image may be fetched now. */
  isDue: boolean
  /** Null if there is no copy. */
  etag: string | null
  /** Null if the caller has the copy. */
  bytes: Buffer | null
}

/**
 * Finds the copy whose width is the smallest that is large enough, or else the largest.
 * @param knownEtag of a copy whose bytes are not needed
 * @returns undefined if no record names the image
 */
export async function findCopy(
  db: Queryable,
  { storeId, key }: ImageRef,
  { width, knownEtag, now }: { width: ImageWidth; knownEtag: string | undefined; now: Date },
): Promise<ImageCopy | undefined> {
  const [copy] = await db.query<ImageCopy>(sql`
    select coalesce(source.next_fetch_at <= ${now}, true) as "isDue", variant.etag,
      case when variant.etag = ${knownEtag ?? null} then null else variant.bytes end as bytes
    from image_source source left join lateral (
      select etag, bytes from image_variant
      where store_id = source.store_id and key = source.key
      order by width < ${width}, abs(width - ${width}) limit 1
    ) variant on true
    where source.store_id = ${storeId} and source.key = ${key}`)
  return copy
}

/** An image that this process may fetch, with what is known of the last response. */
export interface ClaimedSource {
  url: string
  etag: string | null
  lastModified: string | null
}

/** Claims an image whose time has come. @returns undefined if there is none, or another process has claimed it */
export async function claimSource(
  tx: Transaction,
  { storeId, key }: ImageRef,
  { now, claimedUntil }: { now: Date; claimedUntil: Date },
): Promise<ClaimedSource | undefined> {
  const [source] = await tx.query<ClaimedSource>(sql`
    update image_source set next_fetch_at = ${claimedUntil}, awaits_prefetch = false
    where store_id = ${storeId} and key = ${key} and coalesce(next_fetch_at <= ${now}, true)
    returning url, origin_etag as etag, origin_last_modified as "lastModified"`)
  return source
}

/** Images that a catalog names and that were never fetched. */
export async function selectAwaitingPrefetch(db: Queryable, limit: number): Promise<ImageRef[]> {
  return await db.query(sql`
    select store_id as "storeId", key from image_source where awaits_prefetch limit ${limit}`)
}

/** Stores new copies, unless the image has been deleted meanwhile. */
export async function storeCopies(
  tx: Transaction,
  { storeId, key }: ImageRef,
  variants: readonly Variant[],
  { etag, lastModified, now, nextFetchAt }: Omit<ClaimedSource, 'url'> & FetchTimes,
): Promise<void> {
  const found = await tx.query(sql`
    update image_source set fetched_at = ${now}, next_fetch_at = ${nextFetchAt}, failure = null,
      origin_etag = ${etag}, origin_last_modified = ${lastModified}
    where store_id = ${storeId} and key = ${key} returning 1`)
  if (found.length === 0) return
  await tx.query(sql`delete from image_variant where store_id = ${storeId} and key = ${key}`)
  await tx.query(
    insertInto(
      'image_variant',
      variants.map(({ width, bytes, etag: own }) => ({ store_id: storeId, key, width, bytes, etag: own })),
    ),
  )
}

/** Records that the server confirmed the copy. */
export async function confirmCopies(
  tx: Transaction,
  { storeId, key }: ImageRef,
  { now, nextFetchAt }: FetchTimes,
): Promise<void> {
  await tx.query(sql`
    update image_source set fetched_at = ${now}, next_fetch_at = ${nextFetchAt}, failure = null
    where store_id = ${storeId} and key = ${key}`)
}

/** Records a failure. Copies stay. */
export async function recordFailure(
  tx: Transaction,
  { storeId, key }: ImageRef,
  reason: ImageFailureReason,
  nextFetchAt: Date,
): Promise<void> {
  await tx.query(sql`
    update image_source set failure = ${reason}, next_fetch_at = ${nextFetchAt}
    where store_id = ${storeId} and key = ${key}`)
}

interface FetchTimes {
  now: Date
  nextFetchAt: Date
}
