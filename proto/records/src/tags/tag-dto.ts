import type { Tag } from '@storekeep/proto/checkout/v1/tag'
import { z } from 'zod'
import { int32 } from '../schemas/fields.ts'
import { auditDto, auditExample, auditFields, idFields } from '../schemas/record.ts'

/** Descriptions of the fields of a tag, the same in requests and responses. */
export const tagText = {
  name: 'Name shown to buyers.',
  slug: 'Name of the tag in URLs: letters, digits and single hyphens; unique within the store regardless of case.',
  image_url:
    'Image of the tag: an https URL of a PNG, JPEG, WebP, GIF or AVIF file of at most 5 MB. Shoppers receive a copy of it.',
  sort_order:
    'Place of the tag in lists of the storefront, ascending. Tags with the same value are listed oldest first.',
  enabled: 'Whether the storefront shows the tag. Its products are shown in any case.',
} as const

export const tagDtoSchema = z
  .object({
    ...idFields('tag'),
    name: z.string().describe(tagText.name),
    slug: z.string().nullable().describe(tagText.slug),
    image_url: z.string().nullable().describe(tagText.image_url),
    sort_order: int32(0).describe(tagText.sort_order),
    enabled: z.boolean().describe(tagText.enabled),
    ...auditFields,
  })
  .meta({ id: 'TagDto', description: 'A category of products.' })

export type TagDto = z.input<typeof tagDtoSchema>

export function tagDto(tag: Tag | undefined): TagDto {
  if (!tag) throw new Error('A service returned no tag.')
  return {
    id: tag.id,
    store_id: tag.storeId,
    name: tag.name,
    slug: tag.slug ?? null,
    image_url: tag.imageUrl ?? null,
    sort_order: tag.sortOrder,
    enabled: tag.enabled,
    ...auditDto(tag),
  }
}

/** The fields that a caller writes. */
export const newTagExample = {
  name: 'Ranks',
  slug: 'ranks',
  image_url: 'https://shop.example.com/images/ranks.png',
  sort_order: 10,
} satisfies Partial<TagDto>

export const tagExample: TagDto = {
  id: '411486491630370830',
  store_id: '411486491596816384',
  ...newTagExample,
  enabled: true,
  ...auditExample,
}
