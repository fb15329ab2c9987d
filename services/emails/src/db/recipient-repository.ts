import type { SecretBox } from '@storekeep/common/crypto'
import type { Queryable } from '@storekeep/common/postgres'
import sql, { raw } from 'sql-template-tag'

/** Identifies an email. */
export interface EmailKey {
  storeId: string
  id: string
}

/** Encrypts the address of an email. */
export function sealRecipient(secrets: SecretBox, key: EmailKey, address: string): Buffer {
  return secrets.seal(Buffer.from(address), contextOf(key))
}

/** @throws Error if it cannot be decrypted */
export function openRecipient(secrets: SecretBox, key: EmailKey, sealed: Buffer): string {
  return secrets.open(sealed, contextOf(key)).toString()
}

/** Addresses that were not encrypted with the first key. */
export async function selectOutdatedRecipients(
  db: Queryable,
  { currentPrefix }: SecretBox,
  limit: number,
): Promise<EmailKey[]> {
  // Two ranges of an index, because `<>` would read all rows.
  const range = (operator: '<' | '>') => sql`
    select store_id as "storeId", id from email
    where recipient is not null and substring(recipient for 5) ${raw(operator)} ${currentPrefix}
    order by substring(recipient for 5) limit ${limit}`
  return await db.query<EmailKey>(sql`(${range('<')}) union all (${range('>')}) limit ${limit}`)
}

/** Encrypts an address again, with the first key. An attempt that writes the address meanwhile wins. */
export async function reencryptRecipient(db: Queryable, secrets: SecretBox, key: EmailKey): Promise<void> {
  const isKey = sql`store_id = ${key.storeId} and id = ${key.id}`
  const [row] = await db.query<{ recipient: Buffer }>(
    sql`select recipient from email where ${isKey} and recipient is not null`,
  )
  if (!row) return
  const sealed = sealRecipient(secrets, key, openRecipient(secrets, key, row.recipient))
  await db.query(sql`update email set recipient = ${sealed} where ${isKey} and recipient = ${row.recipient}`)
}

function contextOf({ storeId, id }: EmailKey): string {
  return `email ${storeId} ${id}`
}
