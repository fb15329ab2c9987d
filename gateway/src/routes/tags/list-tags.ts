import { tagLimits } from '@storekeep/proto/conventions/limits'
import { tagDto, tagDtoSchema, tagExample } from '@storekeep/records/tags/tag-dto'
import { z } from 'zod'
import { endpoint } from '../../http/endpoint.ts'

export const listTags = endpoint({
  operationId: 'listTags',
  tag: 'Tags',
  summary: 'List tags',
  description: `Returns all tags of the store, newest first. There are at most ${tagLimits.perStore}, so the list is not paged.`,
  method: 'get',
  path: '/v1/stores/{storeId}/tags',
  auth: 'api-key',
  scope: 'products:read',
  success: {
    status: 200,
    description: 'All tags of the store.',
    schema: z.array(tagDtoSchema),
    example: [tagExample],
  },
  async handle({ tags }, { call }) {
    const response = await tags.listTags({}, call)
    return { body: response.tags.map(tagDto) }
  },
})
