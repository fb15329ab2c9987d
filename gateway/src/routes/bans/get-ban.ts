import { banDto, banDtoSchema, banExample } from '@storekeep/records/bans/ban-dto'
import { endpoint } from '../../http/endpoint.ts'
import { banPath } from './ban-path.ts'

export const getBan = endpoint({
  operationId: 'getBan',
  tag: 'Bans',
  summary: 'Get a ban',
  description: 'Returns one ban by its id.',
  method: 'get',
  path: '/v1/stores/{storeId}/bans/{banId}',
  auth: 'api-key',
  scope: 'bans:read',
  params: banPath,
  success: { status: 200, description: 'The ban.', schema: banDtoSchema, example: banExample },
  async handle({ bans }, { params, call }) {
    const { ban } = await bans.getBan({ banId: params.banId }, call)
    return { body: banDto(ban) }
  },
})
