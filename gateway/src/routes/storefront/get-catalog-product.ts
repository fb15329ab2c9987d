import type { CallOptions } from '@storekeep/common/grpc'
import type { CatalogProduct } from '@storekeep/proto/checkout/v1/product'
import { z } from 'zod'
import type { GatewayContext } from '../../context.ts'
import { endpoint } from '../../http/endpoint.ts'
import { imageCopyUrl } from '../../image-copy.ts'
import { slug } from '../../schemas/slug.ts'
import {
  catalogProductDetailDtoSchema,
  catalogProductDto,
  catalogProductExample,
  questionDto,
} from './catalog-product-dto.ts'
import { catalogReply, catalogText } from './catalog-reply.ts'
import { storefrontHeaders } from './storefront-headers.ts'

export const getCatalogProduct = endpoint({
  operationId: 'getCatalogProduct',
  tag: 'Storefront',
  summary: 'Get a product that shoppers can buy',
  description:
    'Returns an enabled product that is on sale, by its id or slug, with the questions and game servers of its buyers. Hidden ' +
    `products are returned, too: shoppers who have the link can buy them. ${catalogText}`,
  method: 'get',
  path: '/v1/store/products/{idOrSlug}',
  auth: 'customer-optional',
  headers: storefrontHeaders,
  params: z.object({ idOrSlug: slug.describe('Id or slug of the product.') }),
  success: {
    status: 200,
    hasEtag: true,
    description: 'The product.',
    schema: catalogProductDetailDtoSchema,
    example: { ...catalogProductExample, custom_variables: [], gameservers: [] },
  },
  async handle(ctx, { storeId, params, peerAddress, call }) {
    const { currency } = await ctx.storeCache.get(storeId, peerAddress, call)
    const cached = await ctx.catalogCache.get(`product ${storeId} ${params.idOrSlug}`, async () => {
      const { product } = await ctx.products.getCatalogProduct({ idOrSlug: params.idOrSlug }, call)
      if (!product) throw new Error('A service returned no product.')
      const imageUrl = imageCopyUrl(ctx, storeId, product.imageUrl)
      return {
        body: { ...catalogProductDto(product, { currency, imageUrl }), ...(await choicesOf(ctx, product, call)) },
      }
    })
    return catalogReply(ctx, cached)
  },
})

async function choicesOf({ customVariables, gameServers }: GatewayContext, product: CatalogProduct, call: CallOptions) {
  const asks = product.customVariableIds.length > 0
  const [variables, servers] = await Promise.all([
    asks ? customVariables.listCustomVariables({}, call) : undefined,
    product.singleGameServerOnly ? gameServers.listGameServers({}, call) : undefined,
  ])
  const byId = new Map(variables?.customVariables.map((variable) => [variable.id, variable]))
  const { gameServerIds } = product
  const offered = (servers?.gameServers ?? []).filter(
    ({ id, enabled }) => enabled && (gameServerIds.length === 0 || gameServerIds.includes(id)),
  )
  return {
    // A product may still name a deleted variable.
    custom_variables: product.customVariableIds.flatMap((id) => {
      const variable = byId.get(id)
      return variable ? [questionDto(variable)] : []
    }),
    gameservers: offered.map(({ id, name }) => ({ id, name })),
  }
}
