import { tagLimits } from '@storekeep/proto/conventions/limits'
import { newTagExample, tagDto, tagDtoSchema, tagExample } from '@storekeep/records/tags/tag-dto'
import { endpoint } from '../../http/endpoint.ts'
import { newTag, tagInput } from './tag-input.ts'

export const createTag = endpoint({
  operationId: 'createTag',
  tag: 'Tags',
  summary: 'Create a tag',
  description:
    'Creates a category. A product belongs to it when its `tags` contain the id. Returns `conflict` when another tag has the ' +
    `slug, or when the store has ${tagLimits.perStore} tags.`,
  method: 'post',
  path: '/v1/stores/{storeId}/tags',
  auth: 'api-key',
  scope: 'products:write',
  body: newTag,
  bodyExample: newTagExample,
  success: { status: 200, description: 'The created tag.', schema: tagDtoSchema, example: tagExample },
  async handle({ tags }, { body, call }) {
    const { tag } = await tags.createTag({ tag: tagInput(body) }, call)
    return { body: tagDto(tag) }
  },
})
