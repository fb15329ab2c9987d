import {
  affiliateLinkDto,
  affiliateLinkDtoSchema,
  affiliateLinkExample,
} from '@storekeep/records/affiliate-links/affiliate-link-dto'
import { updateExample } from '@storekeep/records/schemas/record'
import { endpoint } from '../../http/endpoint.ts'
import { affiliateLinkInput, affiliateLinkMask, affiliateLinkPatch } from './affiliate-link-input.ts'
import { affiliateLinkPath } from './affiliate-link-path.ts'

export const updateAffiliateLink = endpoint({
  operationId: 'updateAffiliateLink',
  tag: 'Affiliate links',
  summary: 'Update an affiliate link',
  description:
    'Omitted fields are left unchanged; `commission_amount_steps` replaces the whole list. The resulting link must be ' +
    'valid: when you change a type to `none`, also set its amounts to 0.',
  method: 'patch',
  path: '/v1/stores/{storeId}/affiliate-links/{affiliateLinkId}',
  auth: 'api-key',
  scope: 'affiliate-links:write',
  params: affiliateLinkPath,
  body: affiliateLinkPatch,
  bodyExample: { enabled: false },
  success: {
    status: 200,
    description: 'The updated affiliate link.',
    schema: affiliateLinkDtoSchema,
    example: {
      ...affiliateLinkExample,
      enabled: false,
      ...updateExample,
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
