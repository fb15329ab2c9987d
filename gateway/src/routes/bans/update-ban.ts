import { banDto, banDtoSchema, banExample } from '@storekeep/records/bans/ban-dto'
import { updateExample } from '@storekeep/records/schemas/record'
import { endpoint } from '../../http/endpoint.ts'
import { banInput, banMask, banPatch } from './ban-input.ts'
import { banPath } from './ban-path.ts'

export const updateBan = endpoint({
  operationId: 'updateBan',
  tag: 'Bans',
  summary: 'Update a ban',
  description:
    'Omitted fields are left unchanged; `identities` replaces the whole list. Set `expires_at` to null to make the ban ' +
    'permanent, or to a past time to end it.',
  method: 'patch',
  path: '/v1/stores/{storeId}/bans/{banId}',
  auth: 'api-key',
  scope: 'bans:write',
  params: banPath,
  body: banPatch,
  bodyExample: { expires_at: '2027-01-01T00:00:00Z' },
  success: {
    status: 200,
    description: 'The updated ban.',
    schema: banDtoSchema,
    example: {
      ...banExample,
      ...updateExample,
      expires_at: '2027-01-01T00:00:00.000Z',
    },
  },
  async handle({ bans }, { params, body, call }) {
    const update = { banId: params.banId, ban: banInput(body), updateMask: { paths: banMask(body) } }
    const { ban } = await bans.updateBan(update, call)
    return { body: banDto(ban) }
  },
})
