import { publishEvent } from '@storekeep/common/events'
import type { Call } from '@storekeep/common/grpc'
import type { Transaction } from '@storekeep/common/postgres'
import { ApiKeyCreatedSchema, ApiKeyRevokedSchema, StoreCreatedSchema } from '@storekeep/proto/stores/v1/events'
import type { ApiKeyRow, StoreRow } from '../db/schema.ts'
import { apiKeyToProto, storeToProto } from '../mappers.ts'

export async function publishStoreCreated(tx: Transaction, row: StoreRow, call: Cause): Promise<void> {
  await publishEvent(tx, {
    ...storeEvent(row, call),
    verb: 'created',
    schema: StoreCreatedSchema,
    message: { store: storeToProto(row) },
  })
}

export async function publishApiKeyCreated(tx: Transaction, row: ApiKeyRow, call: Cause): Promise<void> {
  await publishEvent(tx, {
    ...apiKeyEvent(row, call),
    verb: 'created',
    schema: ApiKeyCreatedSchema,
    message: { apiKey: apiKeyToProto(row) },
  })
}

export async function publishApiKeyRevoked(tx: Transaction, row: ApiKeyRow, call: Cause): Promise<void> {
  await publishEvent(tx, {
    ...apiKeyEvent(row, call),
    verb: 'revoked',
    schema: ApiKeyRevokedSchema,
    message: { apiKey: apiKeyToProto(row) },
  })
}

type Cause = Pick<Call, 'traceparent'>

function storeEvent(row: StoreRow, { traceparent }: Cause) {
  return {
    service: 'stores',
    aggregate: 'store',
    aggregateId: row.id,
    aggregateVersion: row.version,
    storeId: row.id,
    traceparent,
  }
}

function apiKeyEvent(row: ApiKeyRow, { traceparent }: Cause) {
  return {
    service: 'stores',
    aggregate: 'api_key',
    aggregateId: row.id,
    aggregateVersion: row.version,
    storeId: row.storeId,
    traceparent,
  }
}
