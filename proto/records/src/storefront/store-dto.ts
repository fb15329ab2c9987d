import { Game, type Store } from '@storekeep/proto/stores/v1/store'
import { z } from 'zod'
import { flakeId } from '../schemas/fields.ts'

export const storeDtoSchema = z
  .object({
    id: flakeId.describe('Id of the store.'),
    slug: z.string().meta({ description: 'Unique name of the store in URLs.' }),
    name: z.string().describe('Name of the store.'),
    game: z
      .enum(['rust', 'minecraft', 'minecraft_offline', 'minecraft_geyser'])
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
    game: gameName(store.game),
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

function gameName(game: Game): StoreDto['game'] {
  switch (game) {
    case Game.RUST:
      return 'rust'
    case Game.MINECRAFT:
      return 'minecraft'
    case Game.MINECRAFT_OFFLINE:
      return 'minecraft_offline'
    case Game.MINECRAFT_GEYSER:
      return 'minecraft_geyser'
    default:
      throw new Error(`A service returned the game ${game}, which has no public name.`)
  }
}
