import { type Timestamp, timestampDate } from '@bufbuild/protobuf/wkt'
import { type ApiKey, Game, type Store } from '@storekeep/proto/stores/v1/store'
import type { AnswerRecord } from './output.ts'

export function storeRecord(store: Store): AnswerRecord {
  return {
    id: store.id,
    slug: store.slug,
    name: store.name,
    game: gameName(store.game),
    currency: store.currency,
    bedrock_prefix: store.bedrockPrefix,
    logo_url: store.logoUrl ?? null,
    logo_square_url: store.logoSquareUrl ?? null,
    created_at: time(store.createdAt),
  }
}

export function apiKeyRecord(key: ApiKey): AnswerRecord {
  return {
    id: key.id,
    store_id: key.storeId,
    name: key.name,
    created_at: time(key.createdAt),
    expires_at: time(key.expiresAt),
    last_used_at: time(key.lastUsedAt),
    revoked_at: time(key.revokedAt),
    scopes: key.scopes,
  }
}

/** `minecraft_offline` for Game.MINECRAFT_OFFLINE. */
function gameName(game: Game): string {
  const [name = ''] = Object.entries(Game).find(([, value]) => value === game) ?? []
  return name.toLowerCase()
}

function time(value: Timestamp | undefined): string | null {
  return value ? timestampDate(value).toISOString() : null
}
