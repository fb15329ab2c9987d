import type { Transaction } from '@storekeep/common/postgres'
import sql from 'sql-template-tag'

/** The commands of a customer that were not executed yet. */
export async function selectOpenAttempts(tx: Transaction, storeId: string, customerId: string): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(sql`
    select id from command_attempt
    where store_id = ${storeId} and customer_id = ${customerId} and state in ('pending', 'blocked')`)
  return rows.map(({ id }) => id)
}

/**
 * Removes the identities of a customer from all commands, whose texts become their templates. Commands of gifts that the customer gave
 * keep the name of the giver until they are executed, because their recipients still own them.
 */
export async function eraseIdentities(tx: Transaction, storeId: string, customerId: string): Promise<void> {
  await tx.query(sql`
    update command_attempt set steam_id = null, minecraft_uuid = null, customer_name = null, command = template
    where store_id = ${storeId} and customer_id = ${customerId}`)
  await tx.query(sql`
    update command_attempt set command = template
    where store_id = ${storeId} and state in ('executed', 'unqueued') and template like '%{buyer.%' and item_id in (
      select id from delivery_item where store_id = ${storeId} and gift and order_customer_id = ${customerId}
    )`)
}
