import { endpoint } from '../../http/endpoint.ts'
import { banPath } from './ban-path.ts'

export const deleteBan = endpoint({
  operationId: 'deleteBan',
  tag: 'Bans',
  summary: 'Delete a ban',
  description: 'Deletes the ban permanently; it stops applying immediately.',
  method: 'delete',
  path: '/v1/stores/{storeId}/bans/{banId}',
  auth: 'api-key',
  scope: 'bans:write',
  params: banPath,
  success: { status: 204, description: 'The ban was deleted.' },
  async handle({ bans }, { params, call }) {
    await bans.deleteBan({ banId: params.banId }, call)
    return {}
  },
})
