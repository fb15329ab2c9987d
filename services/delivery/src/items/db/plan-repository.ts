import { expectRow, type Queryable, type Transaction } from '@storekeep/common/postgres'
import sql from 'sql-template-tag'
import type { Stage } from '../../domain/stage.ts'
import type { Item } from '../domain/item.ts'
import type { TargetServer } from '../domain/planned-commands.ts'
import type { ItemKey } from './item-repository.ts'
import { itemColumns } from './schema.ts'

/** The game servers of a store, oldest first. At most 100. */
export async function selectServers(db: Queryable, storeId: string): Promise<TargetServer[]> {
  return await db.query<TargetServer>(sql`
    select id, name, enabled from game_server where store_id = ${storeId} order by id`)
}

/** Stores that the commands of a stage of locked items are not queued yet, and when to try again. */
export async function addUnplanned(
  tx: Transaction,
  storeId: string,
  ids: readonly string[],
  stage: Stage,
  planAt: Date,
): Promise<void> {
  await tx.query(sql`
    update delivery_item set unplanned_stages = array_append(unplanned_stages, ${stage}::text), plan_at = ${planAt}
    where store_id = ${storeId} and id = any(${ids}::bigint[])`)
}

/** Forgets which stages of locked items are not queued yet. */
export async function clearUnplanned(tx: Transaction, storeId: string, ids: readonly string[]): Promise<void> {
  await tx.query(sql`
    update delivery_item set unplanned_stages = '{}', plan_at = null
    where store_id = ${storeId} and id = any(${ids}::bigint[]) and unplanned_stages <> '{}'`)
}

/** Makes the items of a version that were not planned due, because the version has arrived. */
export async function planItemsOfVersion(
  tx: Transaction,
  storeId: string,
  versionId: string,
  now: Date,
): Promise<void> {
  await tx.query(sql`
    update delivery_item set plan_at = ${now}
    where store_id = ${storeId} and product_version_id = ${versionId} and unplanned_stages <> '{}'`)
}

/** Makes the items due that were not planned, in stores whose game servers have changed since a time. */
export async function planItemsOfNewServers(tx: Transaction, since: Date, now: Date): Promise<void> {
  await tx.query(sql`
    update delivery_item set plan_at = ${now}
    where unplanned_stages <> '{}' and plan_at > ${now} and store_id in (
      select store_id from game_server where enabled and coalesce(updated_at, created_at) >= ${since}
    )`)
}

/** The items of any store that are due to be planned, oldest first. */
export async function findUnplannedItems(db: Queryable, now: Date, limit: number): Promise<ItemKey[]> {
  return await db.query<ItemKey>(sql`
    select store_id as "storeId", id from delivery_item
    where unplanned_stages <> '{}' and plan_at <= ${now}
    order by plan_at limit ${limit}`)
}

/** Claims the items among these that are still due to be planned, as in `lockDueItems`. */
export async function lockUnplannedItems(
  tx: Transaction,
  storeId: string,
  ids: readonly string[],
  now: Date,
): Promise<Item[]> {
  return await tx.query<Item>(sql`
    select ${itemColumns} from delivery_item
    where store_id = ${storeId} and id = any(${ids}::bigint[]) and unplanned_stages <> '{}' and plan_at <= ${now}
    order by id for no key update skip locked`)
}

/** How many items wait for the version of their product, or for a game server, and how many commands for a value. */
export async function countWaiting(db: Queryable): Promise<Waiting> {
  const rows = await db.query<Waiting>(sql`
    select (count(*) filter (where waits_for_version))::int as "forVersion",
      (count(*) filter (where not waits_for_version))::int as "forServer",
      (select count(*)::int from command_attempt where state = 'blocked') as "forValue"
    from (
      select product_version_id is not null and not exists (
        select from product_version version
        where version.store_id = item.store_id and version.id = item.product_version_id
      ) as waits_for_version
      from delivery_item item where unplanned_stages <> '{}'
    ) as unplanned`)
  return expectRow(rows)
}

export interface Waiting {
  /** Items. */
  forVersion: number
  forServer: number
  /** Commands. */
  forValue: number
}
