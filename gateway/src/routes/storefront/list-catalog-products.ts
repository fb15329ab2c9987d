import { addressGroup } from '@storekeep/common/http'
import { present } from '@storekeep/common/message'
import { productLimits } from '@storekeep/proto/conventions/limits'
import { flakeId, text } from '@storekeep/records/schemas/fields'
import { z } from 'zod'
import { endpoint, pageReply } from '../../http/endpoint.ts'
import { imageCopyUrl } from '../../image-copy.ts'
import { pageQuery } from '../../schemas/page.ts'
import { slug } from '../../schemas/slug.ts'
import { catalogProductDto, catalogProductDtoSchema, catalogProductExample } from './catalog-product-dto.ts'
import { catalogReply, catalogText } from './catalog-reply.ts'
import { storefrontHeaders } from './storefront-headers.ts'

export const listCatalogProducts = endpoint({
  operationId: 'listCatalogProducts',
  tag: 'Storefront',
  summary: 'List the products that shoppers can buy',
  description:
    'Returns the enabled products that are on sale and not hidden, page by page, by `sort_order`, then oldest first. A customer ' +
    `token is optional, but an invalid one is rejected. ${catalogText}`,
  method: 'get',
  path: '/v1/store/products',
  auth: 'customer-optional',
  headers: storefrontHeaders,
  query: z.object({
    tag: slug.optional().describe('Id or slug of a tag: returns only its products.'),
    search: text(1, productLimits.searchLength)
      .optional()
      .describe('Returns only products whose name or label contains the text, ignoring case and accents.'),
    limit: pageQuery.limit,
    after: flakeId.optional().describe('Cursor: returns the products that follow the product with this id.'),
    before: flakeId
      .optional()
      .describe('Cursor: returns the products that immediately precede the product with this id.'),
  }),
  // Caches do not protect the service from a caller who searches for random texts.
  limits: ({ config }, { query, peerAddress }) =>
    query.search === undefined
      ? []
      : [
          {
            policy: 'catalog-search-address',
            key: addressGroup(peerAddress),
            quota: config.limits.catalogSearchAddressPerMinute,
          },
        ],
  success: {
    status: 200,
    hasEtag: true,
    description: 'One page of products.',
    schema: z.array(catalogProductDtoSchema),
    example: [catalogProductExample],
  },
  async handle(ctx, { storeId, query, peerAddress, call }) {
    const { currency } = await ctx.storeCache.get(storeId, peerAddress, call)
    const { limit, after, before, tag, search } = query
    const key = `products ${storeId} ${limit} ${after ?? ''} ${before ?? ''} ${tag ?? ''} ${search ?? ''}`
    const cached = await ctx.catalogCache.get(key, async () => {
      const { products, page } = await ctx.products.listCatalogProducts(present(query), call)
      const items = products.map((product) =>
        catalogProductDto(product, { currency, imageUrl: imageCopyUrl(ctx, storeId, product.imageUrl) }),
      )
      return pageReply({ ...query, asc: true }, items, page)
    })
    return catalogReply(ctx, cached)
  },
})
