import { affiliateLinkLimits } from '@storekeep/proto/conventions/limits'
import {
  affiliateLinkDto,
  affiliateLinkDtoSchema,
  affiliateLinkExample,
  newAffiliateLinkExample,
} from '@storekeep/records/affiliate-links/affiliate-link-dto'
import { endpoint } from '../../http/endpoint.ts'
import { affiliateLinkInput, newAffiliateLink } from './affiliate-link-input.ts'

export const createAffiliateLink = endpoint({
  operationId: 'createAffiliateLink',
  tag: 'Affiliate links',
  summary: 'Create an affiliate link',
  description: `Returns \`conflict\` when another link has the code, or when the store has ${affiliateLinkLimits.perStore} links.`,
  method: 'post',
  path: '/v1/stores/{storeId}/affiliate-links',
  auth: 'api-key',
  scope: 'affiliate-links:write',
  body: newAffiliateLink,
  bodyExample: newAffiliateLinkExample,
  success: {
    status: 200,
    description: 'The created affiliate link.',
    schema: affiliateLinkDtoSchema,
    example: affiliateLinkExample,
  },
  async handle({ affiliateLinks }, { body, call }) {
    const { affiliateLink } = await affiliateLinks.createAffiliateLink(
      { affiliateLink: affiliateLinkInput(body) },
      call,
    )
    return { body: affiliateLinkDto(affiliateLink) }
  },
})
