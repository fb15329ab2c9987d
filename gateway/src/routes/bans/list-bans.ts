import { z } from 'zod'
import { endpoint, pageReply } from '../../http/endpoint.ts'
import { text } from '../../schemas/fields.ts'
import { pageQuery, pageRequest } from '../../schemas/page.ts'
import { banDto, banDtoSchema, banExample } from './ban-dto.ts'
import { banType, banTypeValues } from './ban-identity.ts'

export const listBans = endpoint({
  operationId: 'Bans_ListBans',
  tag: 'Bans',
  summary: 'List bans',
  description: 'Expired bans stay in the list.',
  method: 'get',
  path: '/v1/stores/{storeId}/bans',
  auth: 'api-key',
  scope: 'bans:read',
  query: z.object({
    ban_type: banType.optional().meta({ description: 'Only bans with an identity of this type.' }),
    ban_type_value: text(1, 320).optional().meta({
      description: 'Only bans with this identity, of the type in `ban_type` or of any; in every way of writing it.',
    }),
    reason: text(0, 1000).optional().meta({ description: 'Part of the reason, in any case.' }),
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
    const answer = await bans.listBans(request, call)
    return pageReply(query, answer.bans.map(banDto), answer.page)
  },
})
