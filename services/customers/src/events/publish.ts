import { publishEvent } from '@storekeep/common/events'
import type { Transaction } from '@storekeep/common/postgres'
import {
  CustomerCreatedSchema,
  CustomerTokensRevokedSchema,
  CustomerUpdatedSchema,
  PortalSessionCreatedSchema,
  StoreTokensRevokedSchema,
} from '@storekeep/proto/customers/v1/events'
import type { CustomerRow, PortalSessionRow } from '../db/schema.ts'
import { customerToProto, portalSessionToProto } from '../mappers.ts'

export async function publishCustomerCreated(tx: Transaction, row: CustomerRow, cause: Cause): Promise<void> {
  await publishEvent(tx, {
    ...customerEvent(row, cause),
    verb: 'created',
    schema: CustomerCreatedSchema,
    message: { customer: customerToProto(row) },
  })
}

export async function publishCustomerUpdated(tx: Transaction, row: CustomerRow, cause: Cause): Promise<void> {
  await publishEvent(tx, {
    ...customerEvent(row, cause),
    verb: 'updated',
    schema: CustomerUpdatedSchema,
    message: { customer: customerToProto(row) },
  })
}

export async function publishCustomerTokensRevoked(
  tx: Transaction,
  row: CustomerRow & { tokenEpoch: number },
  cause: Cause,
): Promise<void> {
  await publishEvent(tx, {
    ...customerEvent(row, cause),
    verb: 'tokens_revoked',
    schema: CustomerTokensRevokedSchema,
    message: { customer: customerToProto(row), tokenEpoch: row.tokenEpoch },
  })
}

/** The tokens of a store are an aggregate of their own, whose version is their epoch. */
export async function publishStoreTokensRevoked(
  tx: Transaction,
  storeId: string,
  tokenEpoch: number,
  { traceparent }: Cause,
): Promise<void> {
  await publishEvent(tx, {
    service: 'customers',
    aggregate: 'store_tokens',
    verb: 'revoked',
    aggregateId: storeId,
    aggregateVersion: tokenEpoch,
    storeId,
    traceparent,
    schema: StoreTokensRevokedSchema,
    message: { tokenEpoch },
  })
}

export async function publishPortalSessionCreated(
  tx: Transaction,
  row: PortalSessionRow,
  { traceparent }: Cause,
): Promise<void> {
  await publishEvent(tx, {
    service: 'customers',
    aggregate: 'portal_session',
    verb: 'created',
    aggregateId: row.id,
    aggregateVersion: row.version,
    storeId: row.storeId,
    traceparent,
    schema: PortalSessionCreatedSchema,
    message: { portalSession: portalSessionToProto(row) },
  })
}

/** What led to the change: a call, or another event. */
export interface Cause {
  traceparent: string | undefined
}

function customerEvent(row: CustomerRow, { traceparent }: Cause) {
  return {
    service: 'customers',
    aggregate: 'customer',
    aggregateId: row.id,
    aggregateVersion: row.version,
    storeId: row.storeId,
    traceparent,
  }
}
