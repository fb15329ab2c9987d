import { raw } from 'sql-template-tag'
import type { Endpoint } from '../domain/endpoint.ts'

/** An endpoint as the repository returns it, without its secrets. Ids and versions are int8 and therefore strings. */
export interface EndpointRow extends Endpoint {
  /** See `actorText`. */
  createdBy: string
  createdAt: Date
  updatedBy: string | null
  updatedAt: Date | null
  version: string
}

/** The columns of an EndpointRow. */
export const endpointColumns =
  raw(`id, store_id as "storeId", url, event_types as "eventTypes", enabled, description, format,
  header_names as "headerNames", disabled_reason as "disabledReason", failing_since as "failingSince",
  created_by as "createdBy", created_at as "createdAt", updated_by as "updatedBy", updated_at as "updatedAt", version`)
