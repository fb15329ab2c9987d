import { errors } from '@storekeep/common/errors'
import { requireFlakeId } from '@storekeep/common/flake'
import type { Queryable } from '@storekeep/common/postgres'
import { findEndpoint } from '../../endpoints/db/endpoint-repository.ts'
import type { EndpointRow } from '../../endpoints/db/schema.ts'
import type { EndpointRef } from '../db/schema.ts'

/** @throws ServiceFault `not-found` */
export async function requireEndpoint(
  db: Queryable,
  storeId: string,
  webhookEndpointId: string,
): Promise<{ row: EndpointRow; endpoint: EndpointRef }> {
  const id = requireFlakeId('webhook_endpoint_id', webhookEndpointId)
  const row = await findEndpoint(db, storeId, id)
  if (!row) throw errors.notFound('webhook endpoint')
  return { row, endpoint: { storeId, webhookEndpointId: id } }
}

/** @throws ServiceFault `not-found`; `conflict` if it is disabled */
export async function requireEnabledEndpoint(db: Queryable, storeId: string, id: string): Promise<EndpointRef> {
  const { row, endpoint } = await requireEndpoint(db, storeId, id)
  if (!row.enabled) throw errors.conflict('The webhook endpoint is disabled. Enable it first.')
  return endpoint
}
