import { banLimits } from '@storekeep/proto/conventions/limits'
import { banDto, banDtoSchema, banExample } from '@storekeep/records/bans/ban-dto'
import { banType, banTypeValues } from '@storekeep/records/bans/ban-identity'
import { text } from '@storekeep/records/schemas/fields'
import { z } from 'zod'
import { endpoint, pageReply } from '../../http/endpoint.ts'
import { pageQuery, pageRequest } from '../../schemas/page.ts'

export const listBans = endpoint({
  operationId: 'listBans',
  tag: 'Bans',
  summary: 'List bans',
  description: 'Returns bans page by page, including expired ones. All given filters must match.',
  method: 'get',
  path: '/v1/stores/{storeId}/bans',
  auth: 'api-key',
  scope: 'bans:read',
  query: z.object({
    ban_type: banType.optional().meta({ description: 'Returns only bans with an identity of this type.' }),
    ban_type_value: text(1, 320).optional().meta({
      description:
        'Returns only bans with this identity, in any notation. Together with `ban_type`, one identity must match both.',
    }),
    reason: text(0, banLimits.reasonLength)
      .optional()
      .meta({ description: 'Case-insensitive substring of the reason.' }),
    ...pageQuery,
  }),
  success: { status: 200, description: 'One page of bans.', schema: z.array(banDtoSchema), example: [banExample] },
  async handle({ bans }, { query, call }) {
    const { ban_type, ban_type_value, reason } = query
    const request = {
      page: pageRequest(query),
      ...(ban_type && { banType: banTypeValues[ban_type] }),
      ...(ban_type_value && { banTypeValue: ban_type_value }),
      ...(reason && { reason }),
    }
    const response = await bans.listBans(request, call)
    return pageReply(query, response.bans.map(banDto), response.page)
  },
})
