import type { MessageInitShape } from '@bufbuild/protobuf'
import { present, timestampFromDate, timestampOrAbsent } from '@storekeep/common/message'
import { Game as ProtoGame, type StoreSchema } from '@storekeep/proto/stores/v1/store'
import type { CreateStoreRequest, UpdateStoreRequest } from '@storekeep/proto/stores/v1/stores_service'
import type { StoreRow } from './db/schema.ts'
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

const gameToProto = {
  rust: ProtoGame.RUST,
  minecraft: ProtoGame.MINECRAFT,
  minecraft_offline: ProtoGame.MINECRAFT_OFFLINE,
  minecraft_geyser: ProtoGame.MINECRAFT_GEYSER,
} as const satisfies Record<Game, ProtoGame>
