import { z } from 'zod'
import { endpoint } from '../../http/endpoint.ts'
import {
  type AffiliateLinkDto,
  affiliateLinkDto,
  affiliateLinkDtoSchema,
  affiliateLinkExample,
} from './affiliate-link-dto.ts'

export const listAffiliateLinks = endpoint({
  operationId: 'AffiliateLinks_ListAffiliateLinks',
  tag: 'Affiliate links',
  summary: 'List affiliate links',
  description: 'All of the store, the newest first; at most 1,000.',
  method: 'get',
  path: '/v1/stores/{storeId}/affiliate-links',
  auth: 'api-key',
  scope: 'affiliate-links:read',
  success: {
    status: 200,
    description: 'All affiliate links of the store.',
    schema: z.array(affiliateLinkDtoSchema),
    example: [affiliateLinkExample],
  },
  async handle({ affiliateLinks }, request) {
    const all: AffiliateLinkDto[] = []
    let after: string | undefined
    // The service hands out no more at once than a message takes.
    do {
      const answer = await affiliateLinks.listAffiliateLinks({ ...(after !== undefined && { after }) }, request.call)
      all.push(...answer.affiliateLinks.map(affiliateLinkDto))
      after = answer.nextAfter
    } while (after !== undefined)
    return { body: all }
  },
})
