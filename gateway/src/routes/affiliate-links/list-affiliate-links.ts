import { affiliateLinkLimits } from '@storekeep/proto/conventions/limits'
import {
  type AffiliateLinkDto,
  affiliateLinkDto,
  affiliateLinkDtoSchema,
  affiliateLinkExample,
} from '@storekeep/records/affiliate-links/affiliate-link-dto'
import { z } from 'zod'
import { endpoint } from '../../http/endpoint.ts'

export const listAffiliateLinks = endpoint({
  operationId: 'listAffiliateLinks',
  tag: 'Affiliate links',
  summary: 'List affiliate links',
  description: `Returns all affiliate links of the store, newest first. There are at most ${affiliateLinkLimits.perStore}, so the list is not paged.`,
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
    // The service splits the list to stay within the gRPC message size.
    do {
      const response = await affiliateLinks.listAffiliateLinks({ ...(after !== undefined && { after }) }, request.call)
      all.push(...response.affiliateLinks.map(affiliateLinkDto))
      after = response.nextAfter
    } while (after !== undefined)
    return { body: all }
  },
})
