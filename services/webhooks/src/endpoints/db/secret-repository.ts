import type { SecretBox } from '@storekeep/common/crypto'
import type { Queryable, Transaction } from '@storekeep/common/postgres'
import sql, { raw } from 'sql-template-tag'
import type { EndpointKey } from './endpoint-repository.ts'

/** Adds the current secret of an endpoint. @param secret.id a snowflake id */
export async function insertSecret(
  tx: Transaction,
  secrets: SecretBox,
  endpoint: EndpointKey,
  { id, text }: { id: string; text: string },
): Promise<void> {
  const sealed = seal(secrets, { ...endpoint, secretId: id }, text)
  await tx.query(sql`
    insert into webhook_secret (store_id, webhook_endpoint_id, id, secret)
    values (${endpoint.storeId}, ${endpoint.id}, ${id}, ${sealed})`)
}

/** What requests to an endpoint need, encrypted. */
export interface SealedEndpoint {
  key: EndpointKey
  /** The secrets that sign, the newest first. */
  secrets: SealedSecret[]
  /** Null without headers. */
  headers: Buffer | null
}

/** The headers of endpoints and their secrets that sign at this time. */
export async function selectSealed(
  db: Queryable,
  endpoints: readonly EndpointKey[],
  at: Date,
): Promise<SealedEndpoint[]> {
  const rows = await db.query<EndpointKey & { headers: Buffer | null; secretId: string | null; secret: Buffer }>(sql`
    select given.store_id as "storeId", given.id, headers, secret.id as "secretId", secret.secret
    from unnest(${endpoints.map(({ storeId }) => storeId)}::bigint[], ${endpoints.map(({ id }) => id)}::bigint[])
      as given (store_id, id)
    join webhook_endpoint endpoint on endpoint.store_id = given.store_id and endpoint.id = given.id
    left join webhook_secret secret on secret.store_id = given.store_id and secret.webhook_endpoint_id = given.id
      and (valid_until is null or valid_until > ${at})
    order by secret.id desc`)
  const sealed = new Map<string, SealedEndpoint>()
  for (const { storeId, id, headers, secretId, secret } of rows) {
    const one = sealed.get(id) ?? { key: { storeId, id }, secrets: [], headers }
    if (secretId !== null) one.secrets.push({ id: secretId, secret })
    sealed.set(id, one)
  }
  return [...sealed.values()]
}

/** @throws Error if it cannot be decrypted */
export function openSecret(secrets: SecretBox, endpoint: EndpointKey, { id, secret }: SealedSecret): string {
  return open(secrets, { ...endpoint, secretId: id }, secret)
}

export interface SealedSecret {
  id: string
  secret: Buffer
}

/**
 * Ends the secrets of a locked endpoint at `end`, unless they end earlier. Deletes ended secrets, and the oldest beyond `keep`.
 */
export async function endSecrets(
  tx: Transaction,
  { storeId, id }: EndpointKey,
  { end, now, keep }: { end: Date; now: Date; keep: number },
): Promise<void> {
  const ofEndpoint = sql`store_id = ${storeId} and webhook_endpoint_id = ${id}`
  await tx.query(sql`
    delete from webhook_secret where ${ofEndpoint} and (least(valid_until, ${end}) <= ${now}
      or id not in (select id from webhook_secret where ${ofEndpoint} order by id desc limit ${keep}))`)
  await tx.query(sql`update webhook_secret set valid_until = least(valid_until, ${end}) where ${ofEndpoint}`)
}

/** Secrets that were not encrypted with the first key. */
export async function selectOutdatedSecrets(
  db: Queryable,
  { currentPrefix }: SecretBox,
  limit: number,
): Promise<SecretKey[]> {
  // Two ranges of an index, because `<>` would read all rows.
  const range = (operator: '<' | '>') => sql`
    select store_id as "storeId", webhook_endpoint_id as id, id as "secretId" from webhook_secret
    where substring(secret for 5) ${raw(operator)} ${currentPrefix}
    order by substring(secret for 5) limit ${limit}`
  return await db.query<SecretKey>(sql`(${range('<')}) union all (${range('>')}) limit ${limit}`)
}

/** Encrypts a secret again, with the first key. Nothing else changes a stored secret. */
export async function reencryptSecret(db: Queryable, secrets: SecretBox, key: SecretKey): Promise<void> {
  const { storeId, id, secretId } = key
  const isKey = sql`store_id = ${storeId} and webhook_endpoint_id = ${id} and id = ${secretId}`
  const [row] = await db.query<{ secret: Buffer }>(sql`select secret from webhook_secret where ${isKey}`)
  if (!row) return
  const sealed = seal(secrets, key, open(secrets, key, row.secret))
  await db.query(sql`update webhook_secret set secret = ${sealed} where ${isKey}`)
}

/** Identifies a secret. */
export interface SecretKey extends EndpointKey {
  secretId: string
}

function seal(secrets: SecretBox, key: SecretKey, text: string): Buffer {
  return secrets.seal(Buffer.from(text), contextOf(key))
}

function open(secrets: SecretBox, key: SecretKey, sealed: Buffer): string {
  return secrets.open(sealed, contextOf(key)).toString()
}

function contextOf({ storeId, id, secretId }: SecretKey): string {
  return `webhook_secret ${storeId} ${id} ${secretId}`
}
