import type { Tag } from '@storekeep/proto/checkout/v1/tag'
import { flakeId, int32 } from '@storekeep/records/schemas/fields'
import { tagText } from '@storekeep/records/tags/tag-dto'
import { z } from 'zod'
import { endpoint } from '../../http/endpoint.ts'
import { imageCopyUrl } from '../../image-copy.ts'
import { catalogReply, catalogText } from './catalog-reply.ts'
import { storefrontHeaders } from './storefront-headers.ts'

const catalogTagSchema = z
  .object({
    id: flakeId.describe('Id of the tag.'),
    name: z.string().describe(tagText.name),
    slug: z.string().nullable().describe(tagText.slug),
    image_url: z.string().nullable().describe('Copy of the image of the tag, as WebP of at most 512 pixels.'),
    sort_order: int32(0).describe(tagText.sort_order),
  })
  .meta({ id: 'CatalogTagDto', description: 'A category of products as shoppers see it.' })

export const listCatalogTags = endpoint({
  operationId: 'listCatalogTags',
  tag: 'Storefront',
  summary: 'List the tags that shoppers see',
  description:
    'Returns all enabled tags of the store, by `sort_order`, then oldest first. A customer token is optional, but an invalid one ' +
    `is rejected. ${catalogText}`,
  method: 'get',
  path: '/v1/store/tags',
  auth: 'customer-optional',
  headers: storefrontHeaders,
  success: {
    status: 200,
    hasEtag: true,
    description: 'All enabled tags of the store.',
    schema: z.array(catalogTagSchema),
    example: [
      {
        id: '411486491630370830',
        name: 'Ranks',
        slug: 'ranks',
        image_url: 'https://checkout.example.com/images/411486491596816384/IzzjyEl3G2BIaB3rezq8Ew/512.webp',
        sort_order: 10,
      },
    ],
  },
  async handle(ctx, { storeId, peerAddress, call }) {
    await ctx.storeCache.get(storeId, peerAddress, call)
    const cached = await ctx.catalogCache.get(`tags ${storeId}`, async () => {
      const { tags } = await ctx.tags.listTags({}, call)
      return {
        body: tags
          .filter(({ enabled }) => enabled)
          .sort(inOrder)
          .map(({ id, name, slug, imageUrl, sortOrder }) => ({
            id,
            name,
            slug: slug ?? null,
            image_url: imageCopyUrl(ctx, storeId, imageUrl) ?? null,
            sort_order: sortOrder,
          })),
      }
    })
    return catalogReply(ctx, cached)
  },
})

function inOrder(one: Tag, other: Tag): number {
  return one.sortOrder - other.sortOrder || (BigInt(one.id) < BigInt(other.id) ? -1 : 1)
}
