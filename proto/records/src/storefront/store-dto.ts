import { Game, type Store } from '@storekeep/proto/stores/v1/store'
import { z } from 'zod'
import { nameOf, namesOf } from '../schemas/enums.ts'
import { flakeId } from '../schemas/fields.ts'

const gameValues = {
  rust: Game.RUST,
  minecraft: Game.MINECRAFT,
  minecraft_offline: Game.MINECRAFT_OFFLINE,
  minecraft_geyser: Game.MINECRAFT_GEYSER,
} as const

export const storeDtoSchema = z
  .object({
    id: flakeId.describe('Id of the store.'),
    slug: z.string().meta({ description: 'Unique name of the store in URLs.' }),
    name: z.string().describe('Name of the store.'),
    game: z
      .enum(namesOf(gameValues))
      .meta({ id: 'GameDto', description: 'Game that a store sells for.' })
      .describe('Game that the store sells for. It determines how buyers sign in.'),
    currency: z.string().meta({ description: 'Currency of all prices: lower-case ISO 4217.' }),
    logo_url: z.string().nullable().describe('URL of the logo.'),
    logo_square_url: z.string().nullable().describe('URL of the square logo.'),
  })
  .meta({ id: 'Store', description: 'Public data of a store.' })

export type StoreDto = z.input<typeof storeDtoSchema>

export function storeDto(store: Store): StoreDto {
  const { id, slug, name, currency } = store
  return {
    id,
    slug,
    name,
    game: nameOf(gameValues, store.game),
    currency,
    logo_url: store.logoUrl ?? null,
    logo_square_url: store.logoSquareUrl ?? null,
  }
}

export const storeExample: StoreDto = {
  id: '411486491596816384',
  slug: 'rusty-hut',
  name: 'Rusty Hut',
  game: 'rust',
  currency: 'eur',
  logo_url: 'https://img.example.com/rusty-hut.png',
  logo_square_url: null,
}
