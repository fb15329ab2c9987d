import { tagDto, tagDtoSchema, tagExample } from '@storekeep/records/tags/tag-dto'
import { endpoint } from '../../http/endpoint.ts'
import { tagPath } from './tag-path.ts'

export const getTag = endpoint({
  operationId: 'getTag',
  tag: 'Tags',
  summary: 'Get a tag',
  description: 'Returns one tag by its id.',
  method: 'get',
  path: '/v1/stores/{storeId}/tags/{tagId}',
  auth: 'api-key',
  scope: 'products:read',
  params: tagPath,
  success: { status: 200, description: 'The tag.', schema: tagDtoSchema, example: tagExample },
  async handle({ tags }, { params, call }) {
    const { tag } = await tags.getTag({ tagId: params.tagId }, call)
    return { body: tagDto(tag) }
  },
})
