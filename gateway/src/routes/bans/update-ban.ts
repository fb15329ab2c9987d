import { endpoint } from '../../http/endpoint.ts'
import { banDto, banDtoSchema, banExample } from './ban-dto.ts'
import { banInput, banMask, banPatch } from './ban-input.ts'
import { banPath } from './ban-path.ts'

export const updateBan = endpoint({
  operationId: 'Bans_UpdateBan',
  tag: 'Bans',
  summary: 'Change a ban',
  description:
    'What is absent stays as it is. `identities` replaces the whole list. `expires_at`: null makes the ban permanent, a ' +
    'time that has passed ends it.',
  method: 'patch',
  path: '/v1/stores/{storeId}/bans/{banId}',
  auth: 'api-key',
  scope: 'bans:write',
  params: banPath,
  body: banPatch,
  bodyExample: { expires_at: '2027-01-01T00:00:00Z' },
  success: {
    status: 200,
    description: 'The ban as it is now.',
    schema: banDtoSchema,
    example: {
      ...banExample,
      updated_by: banExample.created_by,
      updated_at: '2026-11-20T15:02:41.120Z',
      expires_at: '2027-01-01T00:00:00.000Z',
    },
  },
  async handle({ bans }, { params, body, call }) {
    const update = { banId: params.banId, ban: banInput(body), updateMask: { paths: banMask(body) } }
    const { ban } = await bans.updateBan(update, call)
    return { body: banDto(ban) }
  },
})
