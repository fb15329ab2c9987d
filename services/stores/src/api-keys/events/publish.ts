import { type Cause, defineAggregate } from '@storekeep/common/events'
import type { Transaction } from '@storekeep/common/postgres'
import { ApiKeyCreatedSchema, ApiKeyRevokedSchema } from '@storekeep/proto/stores/v1/events'
import type { ApiKeyRow } from '../db/schema.ts'
import { apiKeyToProto } from '../mappers.ts'

const apiKey = defineAggregate('stores', 'api_key')

export async function publishApiKeyCreated(tx: Transaction, row: ApiKeyRow, cause: Cause): Promise<void> {
  const message = { apiKey: apiKeyToProto(row) }
  await apiKey.publish(tx, row, cause, { verb: 'created', schema: ApiKeyCreatedSchema, message })
}

export async function publishApiKeyRevoked(tx: Transaction, row: ApiKeyRow, cause: Cause): Promise<void> {
  const message = { apiKey: apiKeyToProto(row) }
  await apiKey.publish(tx, row, cause, { verb: 'revoked', schema: ApiKeyRevokedSchema, message })
}
