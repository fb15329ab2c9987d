import type { SecretBox } from '@storekeep/common/crypto'
import type { Queryable, Transaction } from '@storekeep/common/postgres'
import sql from 'sql-template-tag'
import { defaultSettings, type PaymentSettings } from '../domain/payment-settings.ts'

export async function findSettings(db: Queryable, storeId: string): Promise<PaymentSettings> {
  const [row] = await db.query<PaymentSettings>(sql`
    select enabled_providers as "enabledProviders", manual_instructions as "manualInstructions",
      stripe_secret_key as "stripeSecretKey", stripe_webhook_secret as "stripeWebhookSecret",
      ban_on_chargeback as "banOnChargeback"
    from payment_settings where store_id = ${storeId}`)
  return row ?? defaultSettings
}

/** Locks the settings until the transaction ends, so that concurrent changes of different fields are all kept. */
export async function lockSettings(tx: Transaction, storeId: string): Promise<PaymentSettings> {
  await tx.query(sql`insert into payment_settings (store_id) values (${storeId}) on conflict (store_id) do nothing`)
  await tx.query(sql`select 1 from payment_settings where store_id = ${storeId} for update`)
  return await findSettings(tx, storeId)
}

/** Writes settings that the transaction has locked. */
export async function updateSettings(tx: Transaction, storeId: string, settings: PaymentSettings): Promise<void> {
  await tx.query(sql`
    update payment_settings set enabled_providers = ${settings.enabledProviders},
      manual_instructions = ${settings.manualInstructions}, stripe_secret_key = ${settings.stripeSecretKey},
      stripe_webhook_secret = ${settings.stripeWebhookSecret}, ban_on_chargeback = ${settings.banOnChargeback}
    where store_id = ${storeId}`)
}

/** Stores with a secret that was not encrypted with the first key, in the order of their ids, from `after`. */
export async function selectOutdated(
  db: Queryable,
  { currentPrefix }: SecretBox,
  after: string,
  limit: number,
): Promise<string[]> {
  const length = currentPrefix.length
  const rows = await db.query<{ storeId: string }>(sql`
    select store_id as "storeId" from payment_settings
    where store_id > ${after} and (substring(stripe_secret_key for ${length}::int) <> ${currentPrefix}
      or substring(stripe_webhook_secret for ${length}::int) <> ${currentPrefix})
    order by store_id limit ${limit}`)
  return rows.map(({ storeId }) => storeId)
}
