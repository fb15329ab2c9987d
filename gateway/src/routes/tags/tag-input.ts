import { present } from '@storekeep/common/message'
import { productLimits, tagLimits } from '@storekeep/proto/conventions/limits'
import { int32, text } from '@storekeep/records/schemas/fields'
import { tagText } from '@storekeep/records/tags/tag-dto'
import { z } from 'zod'
import { slug } from '../../schemas/slug.ts'
import { secureAddress } from '../../schemas/web-address.ts'

const name = text(1, tagLimits.nameLength).describe(tagText.name)
const sortOrder = int32(0, productLimits.sortOrder)
const fields = {
  name,
  slug: slug.nullish().describe(tagText.slug),
  image_url: secureAddress.nullish().describe(tagText.image_url),
  sort_order: sortOrder.nullish().describe(`${tagText.sort_order} Default: 0.`),
  enabled: z.boolean().nullish().describe(`${tagText.enabled} Default: true.`),
}

export const newTag = z.object(fields).meta({ id: 'CreateTagDto', description: 'A new tag.' })

export const tagPatch = z
  .object({
    ...fields,
    name: name.optional(),
    sort_order: sortOrder.optional().describe(tagText.sort_order),
    enabled: z.boolean().optional().describe(tagText.enabled),
  })
  .meta({
    id: 'UpdateTagDto',
    description: 'Changes to a tag. Omitted fields are left unchanged; null clears a nullable field.',
  })

/** The body as the checkout service expects it. */
export function tagInput(body: z.output<typeof newTag> | z.output<typeof tagPatch>) {
  return present({
    name: body.name ?? '',
    slug: body.slug,
    imageUrl: body.image_url,
    sortOrder: body.sort_order,
    enabled: body.enabled,
  })
}

/** The field mask of a PATCH: the fields in its body, including null ones. */
export function tagMask(body: z.output<typeof tagPatch>): string[] {
  return Object.keys(tagPatch.shape).filter((name) => body[name as keyof typeof body] !== undefined)
}
