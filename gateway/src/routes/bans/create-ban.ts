import { banDto, banDtoSchema, banExample } from '@storekeep/records/bans/ban-dto'
import { endpoint } from '../../http/endpoint.ts'
import { banInput, newBan, newBanExample } from './ban-input.ts'

export const createBan = endpoint({
  operationId: 'createBan',
  tag: 'Bans',
  summary: 'Create a ban',
  description:
    'Prevents customers with any of the identities from checking out until the ban expires or is deleted. Checkouts ' +
    'fail with `customer-banned`.',
  method: 'post',
  path: '/v1/stores/{storeId}/bans',
  auth: 'api-key',
  scope: 'bans:write',
  body: newBan,
  bodyExample: newBanExample,
  success: {
    status: 201,
    description: 'The created ban.',
    schema: banDtoSchema,
    example: banExample,
    location: '/v1/stores/{storeId}/bans/{id}',
  },
  async handle({ bans }, { body, call }) {
    const { ban } = await bans.createBan({ ban: banInput(body) }, call)
    return { body: banDto(ban) }
  },
})
