import { type Cause, defineAggregate } from '@storekeep/common/events'
import type { Transaction } from '@storekeep/common/postgres'
import { StoreTokensRevokedSchema } from '@storekeep/proto/customers/v1/events'

/** The tokens of a store form a separate aggregate, versioned by their epoch. */
const storeTokens = defineAggregate('customers', 'store_tokens')

export async function publishStoreTokensRevoked(
  tx: Transaction,
  storeId: string,
  tokenEpoch: number,
  cause: Cause,
): Promise<void> {
  const row = { id: storeId, version: tokenEpoch, storeId }
  const message = { tokenEpoch }
  await storeTokens.publish(tx, row, cause, { verb: 'revoked', schema: StoreTokensRevokedSchema, message })
}
