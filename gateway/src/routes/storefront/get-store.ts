import { Game, type Store } from '@storekeep/proto/stores/v1/store'
import { z } from 'zod'
import { endpoint } from '../../http/endpoint.ts'
import { flakeId } from '../../schemas/fields.ts'
import { storefrontHeaders } from './storefront-headers.ts'

const storeDtoSchema = z
  .object({
    id: flakeId,
    slug: z.string().meta({ description: 'Unique, URL-safe.' }),
    name: z.string(),
    game: z.enum(['rust', 'minecraft', 'minecraft_offline', 'minecraft_geyser']),
    currency: z.string().meta({ description: 'Of all prices; lower-case ISO 4217.' }),
    logo_url: z.string().nullable(),
    logo_square_url: z.string().nullable(),
  })
  .meta({ id: 'Store' })

type StoreDto = z.input<typeof storeDtoSchema>

export const getStore = endpoint({
  operationId: 'Storefront_GetStore',
  tag: 'Storefront',
  summary: 'Get the store',
  description:
    'A customer token may be sent; one that is not valid is refused. A change of the store shows within five seconds.',
  method: 'get',
  path: '/v1/store',
  auth: 'customer-optional',
  headers: storefrontHeaders,
  success: {
    status: 200,
    description: 'The store.',
    schema: storeDtoSchema,
    example: {
      id: '411486491596816384',
      slug: 'rusty-hut',
      name: 'Rusty Hut',
      game: 'rust',
      currency: 'eur',
      logo_url: 'https://img.example.com/rusty-hut.png',
      logo_square_url: null,
    },
  },
  async handle({ storeCache }, { storeId, call }) {
    return { body: storeDto(await storeCache.get(storeId, call)) }
  },
})

function storeDto(store: Store): StoreDto {
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
      throw new Error(`A service answered the game ${game}, which has no public name.`)
  }
}
