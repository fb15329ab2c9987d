import type { SecretBox } from '@storekeep/common/crypto'
import type { Queryable, Transaction } from '@storekeep/common/postgres'
import sql from 'sql-template-tag'
import { defaultSettings, type PaymentSettings } from '../domain/payment-settings.ts'

/** The settings of a store, with its secrets decrypted. */
export async function findSettings(db: Queryable, secrets: SecretBox, storeId: string): Promise<PaymentSettings> {
  const [row] = await db.query<StoredSettings>(sql`
    select enabled_providers as "enabledProviders", manual_instructions as "manualInstructions",
      stripe_secret_key as "stripeSecretKey", stripe_webhook_secret as "stripeWebhookSecret",
      ban_on_chargeback as "banOnChargeback"
    from payment_settings where store_id = ${storeId}`)
  if (!row) return defaultSettings
  const open = (sealed: Buffer | null, name: string) =>
    sealed === null ? null : secrets.open(sealed, contextOf(storeId, name)).toString()
  return {
    ...row,
    stripeSecretKey: open(row.stripeSecretKey, 'stripe_secret_key'),
    stripeWebhookSecret: open(row.stripeWebhookSecret, 'stripe_webhook_secret'),
  }
}

/** Whether the store has set up webhooks of Stripe. Decrypts nothing. */
export async function hasWebhookSecret(db: Queryable, storeId: string): Promise<boolean> {
  const rows = await db.query(sql`
    select 1 from payment_settings where store_id = ${storeId} and stripe_webhook_secret is not null`)
  return rows.length > 0
}

/** Locks the settings until the transaction ends, so that concurrent changes of different fields are all kept. */
export async function lockSettings(tx: Transaction, secrets: SecretBox, storeId: string): Promise<PaymentSettings> {
  await tx.query(sql`insert into payment_settings (store_id) values (${storeId}) on conflict (store_id) do nothing`)
  await tx.query(sql`select 1 from payment_settings where store_id = ${storeId} for update`)
  return await findSettings(tx, secrets, storeId)
}

/** Writes settings that the transaction has locked. */
export async function updateSettings(
  tx: Transaction,
  secrets: SecretBox,
  storeId: string,
  settings: PaymentSettings,
): Promise<void> {
  const seal = (text: string | null, name: string) => text && secrets.seal(Buffer.from(text), contextOf(storeId, name))
  await tx.query(sql`
    update payment_settings set enabled_providers = ${settings.enabledProviders},
      manual_instructions = ${settings.manualInstructions},
      stripe_secret_key = ${seal(settings.stripeSecretKey, 'stripe_secret_key')},
      stripe_webhook_secret = ${seal(settings.stripeWebhookSecret, 'stripe_webhook_secret')},
      ban_on_chargeback = ${settings.banOnChargeback}
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

interface StoredSettings extends Omit<PaymentSettings, 'stripeSecretKey' | 'stripeWebhookSecret'> {
  stripeSecretKey: Buffer | null
  stripeWebhookSecret: Buffer | null
}

function contextOf(storeId: string, name: string): string {
  return `payment_settings ${storeId} ${name}`
}
