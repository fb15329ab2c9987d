import { expectRow, type Queryable, type Transaction } from '@storekeep/common/postgres'
import sql from 'sql-template-tag'
import type { EndpointRef } from './schema.ts'

/** Deletes events that were stored more than `days` ago, with their deliveries and attempts, unless one is pending. @returns how many */
export async function deleteOldEvents(tx: Transaction, days: number, limit: number): Promise<number> {
  // Only the index of the event can be used: see `isOfEvent`.
  const isPending = sql`exists (
    select from webhook_delivery delivery
    where delivery.event_id = event.id and delivery.store_id + 0 = event.store_id and status || '' = 'pending')`
  const locked = await tx.query<{ storeId: string; id: string }>(sql`
    select store_id as "storeId", id from webhook_event event where created_at < now() - ${days} * interval '1 day' and not ${isPending}
    order by created_at limit ${limit} for update skip locked`)
  // NOTE A separate statement, because its snapshot must be newer than the locks: a resend can have scheduled an event.
  const deleted = await tx.query(sql`
    delete from webhook_event event where (store_id, id) in (
      select * from unnest(${locked.map(({ storeId }) => storeId)}::bigint[], ${locked.map(({ id }) => id)}::uuid[])
    ) and not ${isPending} returning 1`)
  return deleted.length
}

/** The endpoints that were deleted and whose deliveries were not. */
export async function selectDeletedEndpoints(db: Queryable, limit: number): Promise<EndpointRef[]> {
  return await db.query(sql`
    select store_id as "storeId", webhook_endpoint_id as "webhookEndpointId" from webhook_queue queue
    where not exists (
      select from webhook_endpoint endpoint
      where endpoint.store_id = queue.store_id and endpoint.id = queue.webhook_endpoint_id
    ) limit ${limit}`)
}

/** Deletes deliveries of a deleted endpoint, and its queue once none is left. @returns the number of deleted deliveries */
export async function deleteDeliveries(
  tx: Transaction,
  { storeId, webhookEndpointId }: EndpointRef,
  limit: number,
): Promise<number> {
  const isEndpoint = sql`store_id = ${storeId} and webhook_endpoint_id = ${webhookEndpointId}`
  await tx.query(sql`select from webhook_queue where ${isEndpoint} for update`)
  const rows = await tx.query(sql`
    delete from webhook_delivery where store_id = ${storeId} and id in (
      select id from webhook_delivery where ${isEndpoint} limit ${limit}
    ) returning 1`)
  if (rows.length < limit) await tx.query(sql`delete from webhook_queue where ${isEndpoint}`)
  return rows.length
}

export interface Backlog {
  pending: number
  /** How many seconds the oldest due delivery has waited; 0 if none is due. */
  oldestDueAge: number
  failing: number
}

/** What waits to be delivered, in all stores. */
export async function readBacklog(db: Queryable): Promise<Backlog> {
  const rows = await db.query<Backlog>(sql`
    select
      (select count(*)::int from (select from webhook_delivery where status = 'pending' limit 100000) as pending) as pending,
      greatest(0, coalesce(
        extract(epoch from now() - (select min(due_at) from webhook_queue where due_at is not null)), 0))::float8 as "oldestDueAge",
      (select count(*)::int from webhook_endpoint where enabled and failing_since is not null) as failing`)
  return expectRow(rows)
}
