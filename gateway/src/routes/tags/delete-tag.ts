import { endpoint } from '../../http/endpoint.ts'
import { tagPath } from './tag-path.ts'

export const deleteTag = endpoint({
  operationId: 'deleteTag',
  tag: 'Tags',
  summary: 'Delete a tag',
  description:
    'Deletes the tag permanently. Products and coupons keep its id, which then has no effect on the storefront.',
  method: 'delete',
  path: '/v1/stores/{storeId}/tags/{tagId}',
  auth: 'api-key',
  scope: 'products:write',
  params: tagPath,
  success: { status: 204, description: 'The tag was deleted.' },
  async handle({ tags }, { params, call }) {
    await tags.deleteTag({ tagId: params.tagId }, call)
    return {}
  },
})
