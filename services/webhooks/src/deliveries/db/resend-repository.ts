import { firstFlakeIdOf } from '@storekeep/common/flake'
import { expectRow, type Transaction } from '@storekeep/common/postgres'
import sql, { empty, raw, type Sql } from 'sql-template-tag'
import type { DeliveryStatus } from '../domain/delivery-filter.ts'
import { notResent, type ResendRange } from '../domain/resend-range.ts'
import { deliveriesInOrder, preferOrder } from './in-order.ts'
import type { EndpointRef } from './schema.ts'

/** A part of a range. */
export interface ResendPage {
  /** The deliveries to send again, in the order in which they were scheduled. */
  chosen: { id: string; eventId: string }[]
  /** Id of the last delivery that was read; null at the end of the range. */
  continueAfter: string | null
}

/**
 * Reads up to `limit` deliveries of a range, in the order of their ids, and chooses the first delivery of each event to the endpoint,
 * except for events with a pending delivery and, with `onlyFailed`, events delivered since. Takes no lock.
 *
 * The ids bound what is read, since they contain the time; a minute is allowed, because they are created slightly before or after
 * `created_at`, which decides.
 */
export async function selectResendPage(
  tx: Transaction,
  endpoint: EndpointRef,
  range: ResendRange,
  limit: number,
): Promise<ResendPage> {
  const { since, until, eventTypes, onlyFailed, after } = range
  const filter = { status: onlyFailed ? ('failed' as const) : undefined, eventType: undefined }
  const first = idAt(since, -1)
  const isContinued = after !== undefined && BigInt(after) > BigInt(first)
  const page = { above: isContinued ? after : first, below: idAt(until, 1), ascending: true, take: limit }
  await preferOrder(tx)
  const rows = await tx.query<{ ids: string[]; eventIds: string[]; last: string | null; read: number }>(sql`
    with page as materialized (
      ${deliveriesInOrder(raw('id, event_id, event_type, status, created_at'), endpoint, filter, page)}
    ), chosen as (
      select id, event_id from page
      where status <> 'pending' and created_at >= ${since} and created_at < ${until}
        ${eventTypes.length === 0 ? empty : sql`and event_type = any(${eventTypes}::text[])`}
        and (
          select 1 from webhook_delivery earlier
          where ${isOfEvent('earlier', endpoint, sql`page.event_id`)} and earlier.id + 0 < page.id limit 1
        ) is null
        and ${hasNoDelivery(notResent(range), endpoint, sql`page.event_id`)}
    )
    select array(select id::text from chosen order by id) as ids,
      array(select event_id::text from chosen order by id) as "eventIds",
      (select max(id) from page) as last, (select count(*)::int from page) as read`)
  const row = expectRow(rows)
  return {
    chosen: row.ids.map((id, index) => ({ id, eventId: row.eventIds[index] ?? '' })),
    continueAfter: row.read < limit ? null : row.last,
  }
}

/** The first id of a time. */
function idAt(time: Date, minutes: number): string {
  return firstFlakeIdOf(new Date(time.getTime() + minutes * 60_000))
}

/** The condition that an event has no delivery to the endpoint in one of the states. */
export function hasNoDelivery(statuses: readonly DeliveryStatus[], endpoint: EndpointRef, eventId: Sql): Sql {
  // Not `exists`, which can be planned as a join that reads all deliveries for each event.
  return sql`(
    select 1 from webhook_delivery other
    where ${isOfEvent('other', endpoint, eventId)} and other.status || '' = any(${statuses}::text[]) limit 1) is null`
}

/**
 * The condition that a delivery is of an event and an endpoint. Only the index of the event can be used: before the table is
 * analyzed, others look as good to the planner, which would read all deliveries of the store for each event.
 */
function isOfEvent(delivery: string, { storeId, webhookEndpointId }: EndpointRef, eventId: Sql): Sql {
  const of = raw(delivery)
  return sql`${of}.event_id = ${eventId} and ${of}.store_id + 0 = ${storeId}::bigint
    and ${of}.webhook_endpoint_id + 0 = ${webhookEndpointId}::bigint`
}
