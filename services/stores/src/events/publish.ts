import { type Cause, defineAggregate } from '@storekeep/common/events'
import type { Transaction } from '@storekeep/common/postgres'
import {
  ApiKeyCreatedSchema,
  ApiKeyRevokedSchema,
  StoreCreatedSchema,
  StoreUpdatedSchema,
} from '@storekeep/proto/stores/v1/events'
import type { ApiKeyRow, StoreRow } from '../db/schema.ts'
import { apiKeyToProto, storeToProto } from '../mappers.ts'

const store = defineAggregate('stores', 'store')
const apiKey = defineAggregate('stores', 'api_key')

export async function publishStore(
  tx: Transaction,
  verb: keyof typeof storeSchemas,
  row: StoreRow,
  cause: Cause,
): Promise<void> {
  const message = { store: storeToProto(row) }
  await store.publish(tx, { ...row, storeId: row.id }, cause, { verb, schema: storeSchemas[verb], message })
}

const storeSchemas = { created: StoreCreatedSchema, updated: StoreUpdatedSchema } as const

export async function publishApiKeyCreated(tx: Transaction, row: ApiKeyRow, cause: Cause): Promise<void> {
  const message = { apiKey: apiKeyToProto(row) }
  await apiKey.publish(tx, row, cause, { verb: 'created', schema: ApiKeyCreatedSchema, message })
}

export async function publishApiKeyRevoked(tx: Transaction, row: ApiKeyRow, cause: Cause): Promise<void> {
  const message = { apiKey: apiKeyToProto(row) }
  await apiKey.publish(tx, row, cause, { verb: 'revoked', schema: ApiKeyRevokedSchema, message })
}
