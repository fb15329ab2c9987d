import { banLimits } from '@storekeep/proto/conventions/limits'
import { banExample } from '@storekeep/records/bans/ban-dto'
import { banIdentity, identityMessages } from '@storekeep/records/bans/ban-identity'
import { flakeId } from '@storekeep/records/schemas/fields'
import { z } from 'zod'
import { endpoint } from '../../http/endpoint.ts'

export const checkBan = endpoint({
  operationId: 'checkBan',
  tag: 'Bans',
  summary: 'Check identities for a ban',
  description:
    'Finds a ban that applies to any of the identities. If there are several, the oldest is returned. Expired bans are ' +
    'ignored.',
  method: 'post',
  path: '/v1/stores/{storeId}/bans/check',
  auth: 'api-key',
  scope: 'bans:read',
  body: z
    .object({
      identities: z
        .array(banIdentity)
        .max(banLimits.identities)
        .describe(`Identities to check, at most ${banLimits.identities}.`),
    })
    .meta({ id: 'CheckForBanIDByIdentitiesRequestDto', description: 'Identities of one person.' }),
  bodyExample: { identities: banExample.identities },
  success: {
    status: 200,
    description: 'Whether a ban applies, and which one.',
    schema: z
      .object({
        is_banned: z.boolean().describe('Whether a ban applies to any of the identities.'),
        ban_id: flakeId.nullable().describe('Id of the ban; null when none applies.'),
      })
      .meta({ id: 'CheckForBanIDByIdentitiesResponseDto', description: 'Result of a ban check.' }),
    example: { is_banned: true, ban_id: banExample.id },
  },
  async handle({ bans }, { body, call }) {
    const { banId } = await bans.checkBan({ identities: identityMessages(body.identities) }, call)
    return { body: { is_banned: banId !== undefined, ban_id: banId ?? null } }
  },
})
