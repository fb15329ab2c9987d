import { z } from 'zod'
import { endpoint } from '../../http/endpoint.ts'
import { flakeId } from '../../schemas/fields.ts'
import { banExample } from './ban-dto.ts'
import { banIdentity, identityMessages } from './ban-identity.ts'

export const checkBan = endpoint({
  operationId: 'Bans_CheckBan',
  tag: 'Bans',
  summary: 'Ask whether somebody is banned',
  description: 'By any of the identities. Of several bans the oldest is named; expired ones do not count.',
  method: 'post',
  path: '/v1/stores/{storeId}/bans/check',
  auth: 'api-key',
  scope: 'bans:read',
  body: z.object({ identities: z.array(banIdentity).max(100) }).meta({ id: 'CheckForBanIDByIdentitiesRequestDto' }),
  bodyExample: { identities: banExample.identities },
  success: {
    status: 200,
    description: 'The ban that was found, if any.',
    schema: z
      .object({ is_banned: z.boolean(), ban_id: flakeId.nullable() })
      .meta({ id: 'CheckForBanIDByIdentitiesResponseDto' }),
    example: { is_banned: true, ban_id: banExample.id },
  },
  async handle({ bans }, { body, call }) {
    const { banId } = await bans.checkBan({ identities: identityMessages(body.identities) }, call)
    return { body: { is_banned: banId !== undefined, ban_id: banId ?? null } }
  },
})
