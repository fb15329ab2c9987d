import type { MessageInitShape } from '@bufbuild/protobuf'
import { timestampDate } from '@bufbuild/protobuf/wkt'
import { present, timestampFromDate, timestampOrAbsent } from '@storekeep/common/message'
import type { ApiKeySchema } from '@storekeep/proto/stores/v1/store'
import type { CreateApiKeyRequest } from '@storekeep/proto/stores/v1/stores_service'
import type { ApiKeyRow } from './db/schema.ts'
import type { ApiKeyInput } from './domain/api-key.ts'

export function apiKeyInputFromProto(request: CreateApiKeyRequest): ApiKeyInput {
  const { name, scopes, expiresAt } = request
  return { name, scopes, expiresAt: expiresAt && timestampDate(expiresAt) }
}

/** Without the hash, which must not leave the service. */
export function apiKeyToProto(row: ApiKeyRow): MessageInitShape<typeof ApiKeySchema> {
  return present({
    id: row.id,
    storeId: row.storeId,
    name: row.name,
    scopes: [...row.scopes],
    version: BigInt(row.version),
    createdAt: timestampFromDate(row.createdAt),
    expiresAt: timestampOrAbsent(row.expiresAt),
    lastUsedAt: timestampOrAbsent(row.lastUsedAt),
    revokedAt: timestampOrAbsent(row.revokedAt),
  })
}
