import type { Transaction } from '@storekeep/common/postgres'
import sql from 'sql-template-tag'
import type { SubscriptionState } from '../domain/expiry.ts'

interface SubscriptionKey {
  storeId: string
  id: string
}

/**
 * Locks a subscription until the transaction ends, even if no event has described it yet, so that an order and an event of its
 * subscription see each other's changes.
 */
export async function lockSubscription(tx: Transaction, { storeId, id }: SubscriptionKey): Promise<SubscriptionState> {
  await tx.query(sql`
    insert into subscription_copy (store_id, id, renews, version) values (${storeId}, ${id}, true, 0)
    on conflict do nothing`)
  const [row] = await tx.query<SubscriptionState>(sql`
    select period_end as "periodEnd", renews from subscription_copy
    where store_id = ${storeId} and id = ${id} for no key update`)
  if (!row) throw new Error('a subscription has disappeared')
  return row
}

/** Writes the state of a locked subscription. */
export async function updateSubscription(
  tx: Transaction,
  { storeId, id }: SubscriptionKey,
  { periodEnd, renews }: SubscriptionState,
  version: string,
): Promise<void> {
  await tx.query(sql`
    update subscription_copy set period_end = ${periodEnd}, renews = ${renews}, version = ${version}
    where store_id = ${storeId} and id = ${id}`)
}
