import { endpoint } from '../../http/endpoint.ts'
import { affiliateLinkPath } from './affiliate-link-path.ts'

export const deleteAffiliateLink = endpoint({
  operationId: 'deleteAffiliateLink',
  tag: 'Affiliate links',
  summary: 'Delete an affiliate link',
  description: 'Deletes the affiliate link permanently. Its code can be used again.',
  method: 'delete',
  path: '/v1/stores/{storeId}/affiliate-links/{affiliateLinkId}',
  auth: 'api-key',
  scope: 'affiliate-links:write',
  params: affiliateLinkPath,
  success: { status: 204, description: 'The affiliate link was deleted.' },
  async handle({ affiliateLinks }, { params, call }) {
    await affiliateLinks.deleteAffiliateLink({ affiliateLinkId: params.affiliateLinkId }, call)
    return {}
  },
})
