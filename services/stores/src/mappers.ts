import type { MessageInitShape } from '@bufbuild/protobuf'
import { timestampDate } from '@bufbuild/protobuf/wkt'
import { present, timestampFromDate, timestampOrAbsent } from '@storekeep/common/message'
import { type ApiKeySchema, Game as ProtoGame, type StoreSchema } from '@storekeep/proto/stores/v1/store'
import type {
  CreateApiKeyRequest,
  CreateStoreRequest,
  UpdateStoreRequest,
} from '@storekeep/proto/stores/v1/stores_service'
import type { ApiKeyRow, StoreRow } from './db/schema.ts'
import type { ApiKeyInput } from './domain/api-key.ts'
import { type checkStoreChange, type Game, games, type StoreInput } from './domain/store.ts'

export function storeInputFromProto(request: CreateStoreRequest): StoreInput {
  const { slug, name, currency, logoUrl, logoSquareUrl, bedrockPrefix, accentColor } = request
  const game = games.find((one) => gameToProto[one] === request.game)
  return { slug, name, game, currency, logoUrl, logoSquareUrl, bedrockPrefix, accentColor }
}

export function changeFromProto(request: UpdateStoreRequest): Parameters<typeof checkStoreChange>[0] {
  const { name = '', logoUrl, logoSquareUrl, accentColor } = request
  return { name, logoUrl, logoSquareUrl, accentColor }
}

export function storeToProto(row: StoreRow): MessageInitShape<typeof StoreSchema> {
  return present({
    id: row.id,
    slug: row.slug,
    name: row.name,
    game: gameToProto[row.game],
    currency: row.currency,
    logoUrl: row.logoUrl,
    logoSquareUrl: row.logoSquareUrl,
    bedrockPrefix: row.bedrockPrefix,
    accentColor: row.accentColor,
    version: BigInt(row.version),
    createdAt: timestampFromDate(row.createdAt),
    updatedAt: timestampOrAbsent(row.updatedAt),
  })
}

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

const gameToProto = {
  rust: ProtoGame.RUST,
  minecraft: ProtoGame.MINECRAFT,
  minecraft_offline: ProtoGame.MINECRAFT_OFFLINE,
  minecraft_geyser: ProtoGame.MINECRAFT_GEYSER,
} as const satisfies Record<Game, ProtoGame>
