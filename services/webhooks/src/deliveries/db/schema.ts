import sql, { raw, type Sql } from 'sql-template-tag'
import type { DeliveryStatus } from '../domain/delivery-filter.ts'

/** An event on its way to an endpoint. Ids are int8 and therefore strings. */
export interface DeliveryRow {
  id: string
  storeId: string
  webhookEndpointId: string
  eventId: string
  eventType: string
  status: DeliveryStatus
  attemptCount: number
  /** Null at the end, and while an earlier delivery of the resource is pending. */
  dueAt: Date | null
  isInFlight: boolean
  /** Of the last attempt; null without a response. */
  responseStatus: number | null
  /** Of the last attempt; null if it succeeded. */
  error: string | null
  createdAt: Date
  completedAt: Date | null
}

/** The columns of a DeliveryRow. */
export const deliveryColumns = raw(`id, store_id as "storeId", webhook_endpoint_id as "webhookEndpointId",
  event_id as "eventId", event_type as "eventType", status, attempt_count as "attemptCount", due_at as "dueAt",
  lease is not null as "isInFlight", response_status as "responseStatus", error, created_at as "createdAt",
  completed_at as "completedAt"`)

/** One request of a delivery. */
export interface AttemptRow {
  startedAt: Date
  durationMs: number
  requestHeaders: Record<string, string>
  responseStatus: number | null
  responseHeaders: Record<string, string> | null
  responseBody: string | null
  error: string | null
}

/** An event, as it is sent. */
export interface WebhookEvent {
  storeId: string
  id: string
  type: string
  /** Type and id of the changed record. */
  resource: string
  payload: string
  traceparent: string | undefined
  occurredAt: Date
}

/** Identifies an endpoint. */
export interface EndpointRef {
  storeId: string
  webhookEndpointId: string
}

/**
 * The condition that a row has one of the keys, for statements that join given rows by both columns: the join alone can be planned
 * to read all rows of a store. The ids are unique in all stores.
 */
export function isAnyOf(rows: { table: string; id: string; storeIds: readonly string[]; ids: readonly string[] }): Sql {
  const { table, id, storeIds, ids } = rows
  return sql`${raw(table)}.store_id = any(${storeIds}::bigint[]) and ${raw(`${table}.${id}`)} = any(${ids}::bigint[])`
}
