import { updateExample } from '@storekeep/records/schemas/record'
import { tagDto, tagDtoSchema, tagExample } from '@storekeep/records/tags/tag-dto'
import { endpoint } from '../../http/endpoint.ts'
import { tagInput, tagMask, tagPatch } from './tag-input.ts'
import { tagPath } from './tag-path.ts'

export const updateTag = endpoint({
  operationId: 'updateTag',
  tag: 'Tags',
  summary: 'Update a tag',
  description: 'Omitted fields are left unchanged; null clears a nullable field.',
  method: 'patch',
  path: '/v1/stores/{storeId}/tags/{tagId}',
  auth: 'api-key',
  scope: 'products:write',
  params: tagPath,
  body: tagPatch,
  bodyExample: { sort_order: 20 },
  success: {
    status: 200,
    description: 'The updated tag.',
    schema: tagDtoSchema,
    example: { ...tagExample, sort_order: 20, ...updateExample },
  },
  async handle({ tags }, { params, body, call }) {
    const update = { tagId: params.tagId, tag: tagInput(body), updateMask: { paths: tagMask(body) } }
    const { tag } = await tags.updateTag(update, call)
    return { body: tagDto(tag) }
  },
})
