import type { SecretBox } from '@storekeep/common/crypto'
import { type PagePlan, pageCondition, pageOrder } from '@storekeep/common/page'
import { expectRow, type Queryable, type Transaction } from '@storekeep/common/postgres'
import sql, { raw } from 'sql-template-tag'
import type { Headers } from '../domain/endpoint.ts'
import type { EndpointState } from '../domain/endpoint-change.ts'
import type { EndpointDraft } from '../domain/endpoint-draft.ts'
import { type EndpointRow, endpointColumns } from './schema.ts'

/** An endpoint to insert. */
export interface NewEndpoint extends EndpointDraft {
  id: string
  storeId: string
  createdBy: string
  createdAt: Date
}

export async function insertEndpoint(
  tx: Transaction,
  secrets: SecretBox,
  { headers, ...endpoint }: NewEndpoint,
): Promise<EndpointRow> {
  const { id, storeId, url, eventTypes, enabled, description, format, createdBy, createdAt } = endpoint
  const rows = await tx.query<EndpointRow>(sql`
    insert into webhook_endpoint
      (id, store_id, url, event_types, enabled, description, format, header_names, headers, created_by, created_at)
    values (${id}, ${storeId}, ${url}, ${eventTypes}, ${enabled}, ${description}, ${format}, ${Object.keys(headers)},
      ${sealHeaders(secrets, endpoint, headers)}, ${createdBy}, ${createdAt})
    returning ${endpointColumns}`)
  return expectRow(rows)
}

/** Counts the endpoints of a store. No other transaction can count them until this one ends. */
export async function countLockedEndpoints(tx: Transaction, storeId: string): Promise<number> {
  await tx.query(sql`select pg_advisory_xact_lock(hashtextextended(${`webhook_endpoint ${storeId}`}, 0))`)
  const [row] = await tx.query<{ count: number }>(
    sql`select count(*)::int as count from webhook_endpoint where store_id = ${storeId}`,
  )
  return row?.count ?? 0
}

export async function findEndpoint(db: Queryable, storeId: string, id: string): Promise<EndpointRow | undefined> {
  const [row] = await db.query<EndpointRow>(
    sql`select ${endpointColumns} from webhook_endpoint where store_id = ${storeId} and id = ${id}`,
  )
  return row
}

/** Returns the rows of one page, in the scan order of the plan. */
export async function listEndpointRows(db: Queryable, storeId: string, plan: PagePlan): Promise<EndpointRow[]> {
  return await db.query<EndpointRow>(sql`
    select ${endpointColumns} from webhook_endpoint where store_id = ${storeId} and ${pageCondition(plan)}
    ${pageOrder(plan)} limit ${plan.take}`)
}

/** Locks the endpoint against changes until the transaction ends. */
export async function lockEndpoint(tx: Transaction, storeId: string, id: string): Promise<EndpointRow | undefined> {
  const [row] = await tx.query<EndpointRow>(sql`
    select ${endpointColumns} from webhook_endpoint where store_id = ${storeId} and id = ${id} for no key update`)
  return row
}

/** The additional headers of an endpoint, decrypted. */
export async function readHeaders(db: Queryable, secrets: SecretBox, endpoint: EndpointKey): Promise<Headers> {
  const [row] = await db.query<{ headers: Buffer | null }>(
    sql`select headers from webhook_endpoint where store_id = ${endpoint.storeId} and id = ${endpoint.id}`,
  )
  return openHeaders(secrets, endpoint, row?.headers ?? null)
}

/** Writes the state of an endpoint that the transaction has locked, and increments its version. */
export async function updateEndpointState(
  tx: Transaction,
  secrets: SecretBox,
  endpoint: EndpointKey,
  { headers, ...state }: EndpointState,
  { updatedBy, updatedAt }: { updatedBy: string; updatedAt: Date },
): Promise<EndpointRow> {
  const rows = await tx.query<EndpointRow>(sql`
    update webhook_endpoint endpoint set
      url = ${state.url}, event_types = ${state.eventTypes}, receives_since = array(
        -- A type that the endpoint received until now keeps its time, so that no event on its way is lost.
        select case when before.type is not null and endpoint.enabled then coalesce(before.since, endpoint.created_at)
          else ${updatedAt}::timestamptz end
        from unnest(${state.eventTypes}::text[]) with ordinality as after (type, position)
        left join unnest(endpoint.event_types, endpoint.receives_since) as before (type, since)
          on before.type in (after.type, '*')
        order by position
      ), enabled = ${state.enabled},
      description = ${state.description}, format = ${state.format}, header_names = ${Object.keys(headers)},
      headers = ${sealHeaders(secrets, endpoint, headers)}, disabled_reason = ${state.disabledReason},
      failing_since = ${state.failingSince}, updated_by = ${updatedBy}, updated_at = ${updatedAt}, version = version + 1
    where store_id = ${endpoint.storeId} and id = ${endpoint.id}
    returning ${endpointColumns}`)
  return expectRow(rows)
}

/** Records a change of the secrets of a locked endpoint. */
export async function touchEndpoint(
  tx: Transaction,
  { storeId, id }: EndpointKey,
  { updatedBy, updatedAt }: { updatedBy: string; updatedAt: Date },
): Promise<EndpointRow> {
  const rows = await tx.query<EndpointRow>(sql`
    update webhook_endpoint set updated_by = ${updatedBy}, updated_at = ${updatedAt}, version = version + 1
    where store_id = ${storeId} and id = ${id}
    returning ${endpointColumns}`)
  return expectRow(rows)
}

/** Its secrets are deleted by cascade. */
export async function deleteLockedEndpoint(tx: Transaction, { storeId, id }: EndpointKey): Promise<void> {
  await tx.query(sql`delete from webhook_endpoint where store_id = ${storeId} and id = ${id}`)
}

/** Endpoints whose headers were not encrypted with the first key. */
export async function selectOutdatedHeaders(
  db: Queryable,
  { currentPrefix }: SecretBox,
  limit: number,
): Promise<EndpointKey[]> {
  // Two ranges of an index, because `<>` would read all rows.
  const range = (operator: '<' | '>') => sql`
    select store_id as "storeId", id from webhook_endpoint
    where headers is not null and substring(headers for 5) ${raw(operator)} ${currentPrefix}
    order by substring(headers for 5) limit ${limit}`
  return await db.query<EndpointKey>(sql`(${range('<')}) union all (${range('>')}) limit ${limit}`)
}

/** Encrypts the headers of a locked endpoint again, with the first key. */
export async function reencryptHeaders(tx: Transaction, secrets: SecretBox, endpoint: EndpointKey): Promise<void> {
  const { storeId, id } = endpoint
  const sealed = sealHeaders(secrets, endpoint, await readHeaders(tx, secrets, endpoint))
  await tx.query(sql`update webhook_endpoint set headers = ${sealed} where store_id = ${storeId} and id = ${id}`)
}

/** Identifies an endpoint. */
export interface EndpointKey {
  storeId: string
  id: string
}

function sealHeaders(secrets: SecretBox, endpoint: EndpointKey, headers: Headers): Buffer | null {
  if (Object.keys(headers).length === 0) return null
  return secrets.seal(Buffer.from(JSON.stringify(headers)), contextOf(endpoint))
}

/** @throws Error if they cannot be decrypted */
export function openHeaders(secrets: SecretBox, endpoint: EndpointKey, sealed: Buffer | null): Headers {
  if (!sealed) return {}
  return JSON.parse(secrets.open(sealed, contextOf(endpoint)).toString()) as Headers
}

function contextOf({ storeId, id }: EndpointKey): string {
  return `webhook_endpoint ${storeId} ${id} headers`
}
