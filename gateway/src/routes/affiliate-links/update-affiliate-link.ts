import { endpoint } from '../../http/endpoint.ts'
import { affiliateLinkDto, affiliateLinkDtoSchema, affiliateLinkExample } from './affiliate-link-dto.ts'
import { affiliateLinkInput, affiliateLinkMask, affiliateLinkPatch } from './affiliate-link-input.ts'
import { affiliateLinkPath } from './affiliate-link-path.ts'

export const updateAffiliateLink = endpoint({
  operationId: 'AffiliateLinks_UpdateAffiliateLink',
  tag: 'Affiliate links',
  summary: 'Change an affiliate link',
  description:
    'What is absent stays as it is. `commission_amount_steps` replaces the whole list. The link has to be right as a ' +
    'whole afterwards: whoever changes a type to `none` sets its amounts to 0.',
  method: 'patch',
  path: '/v1/stores/{storeId}/affiliate-links/{affiliateLinkId}',
  auth: 'api-key',
  scope: 'affiliate-links:write',
  params: affiliateLinkPath,
  body: affiliateLinkPatch,
  bodyExample: { enabled: false },
  success: {
    status: 200,
    description: 'The affiliate link as it is now.',
    schema: affiliateLinkDtoSchema,
    example: {
      ...affiliateLinkExample,
      enabled: false,
      updated_by: affiliateLinkExample.created_by,
      updated_at: '2026-11-20T15:02:41.120Z',
    },
  },
  async handle({ affiliateLinks }, { params, body, call }) {
    const update = {
      affiliateLinkId: params.affiliateLinkId,
      affiliateLink: affiliateLinkInput(body),
      updateMask: { paths: affiliateLinkMask(body) },
    }
    const { affiliateLink } = await affiliateLinks.updateAffiliateLink(update, call)
    return { body: affiliateLinkDto(affiliateLink) }
  },
})
