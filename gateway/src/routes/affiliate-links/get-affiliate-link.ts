import {
  affiliateLinkDto,
  affiliateLinkDtoSchema,
  affiliateLinkExample,
} from '@storekeep/records/affiliate-links/affiliate-link-dto'
import { endpoint } from '../../http/endpoint.ts'
import { affiliateLinkPath } from './affiliate-link-path.ts'

export const getAffiliateLink = endpoint({
  operationId: 'getAffiliateLink',
  tag: 'Affiliate links',
  summary: 'Get an affiliate link',
  description: 'Returns one affiliate link by its id.',
  method: 'get',
  path: '/v1/stores/{storeId}/affiliate-links/{affiliateLinkId}',
  auth: 'api-key',
  scope: 'affiliate-links:read',
  params: affiliateLinkPath,
  success: {
    status: 200,
    description: 'The affiliate link.',
    schema: affiliateLinkDtoSchema,
    example: affiliateLinkExample,
  },
  async handle({ affiliateLinks }, { params, call }) {
    const { affiliateLink } = await affiliateLinks.getAffiliateLink({ affiliateLinkId: params.affiliateLinkId }, call)
    return { body: affiliateLinkDto(affiliateLink) }
  },
})
