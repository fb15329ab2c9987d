import { type Cause, defineAggregate } from '@storekeep/common/events'
import type { Transaction } from '@storekeep/common/postgres'
import {
  CustomerCreatedSchema,
  CustomerDeletedSchema,
  CustomerTokensRevokedSchema,
  CustomerUpdatedSchema,
  PortalSessionCreatedSchema,
  StoreTokensRevokedSchema,
} from '@storekeep/proto/customers/v1/events'
import type { CustomerRow, PortalSessionRow } from '../db/schema.ts'
import { customerToProto, portalSessionToProto } from '../mappers.ts'

const customer = defineAggregate('customers', 'customer')
/** The tokens of a store form a separate aggregate, versioned by their epoch. */
const storeTokens = defineAggregate('customers', 'store_tokens')
const portalSession = defineAggregate('customers', 'portal_session')

export async function publishCustomerCreated(tx: Transaction, row: CustomerRow, cause: Cause): Promise<void> {
  const message = { customer: customerToProto(row) }
  await customer.publish(tx, row, cause, { verb: 'created', schema: CustomerCreatedSchema, message })
}

export async function publishCustomerUpdated(tx: Transaction, row: CustomerRow, cause: Cause): Promise<void> {
  const message = { customer: customerToProto(row) }
  await customer.publish(tx, row, cause, { verb: 'updated', schema: CustomerUpdatedSchema, message })
}

export async function publishCustomerDeleted(tx: Transaction, before: CustomerRow, cause: Cause): Promise<void> {
  const messageOf = (row: CustomerRow) => ({ customer: customerToProto(row) })
  await customer.publishDeleted(tx, before, cause, { schema: CustomerDeletedSchema, messageOf })
}

export async function publishCustomerTokensRevoked(
  tx: Transaction,
  row: CustomerRow & { tokenEpoch: number },
  cause: Cause,
): Promise<void> {
  const message = { customer: customerToProto(row), tokenEpoch: row.tokenEpoch }
  await customer.publish(tx, row, cause, { verb: 'tokens_revoked', schema: CustomerTokensRevokedSchema, message })
}

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

export async function publishPortalSessionCreated(tx: Transaction, row: PortalSessionRow, cause: Cause): Promise<void> {
  const message = { portalSession: portalSessionToProto(row) }
  await portalSession.publish(tx, row, cause, { verb: 'created', schema: PortalSessionCreatedSchema, message })
}
