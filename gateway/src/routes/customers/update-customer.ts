import { customerDto, customerDtoSchema, customerExample } from '@storekeep/records/customers/customer-dto'
import { updateExample } from '@storekeep/records/schemas/record'
import { endpoint } from '../../http/endpoint.ts'
import { customerInput, customerMask, customerPatch } from './customer-input.ts'
import { customerPath } from './customer-path.ts'

export const updateCustomer = endpoint({
  operationId: 'updateCustomer',
  tag: 'Customers',
  summary: 'Update a customer',
  description:
    'Omitted fields are left unchanged; null clears a field. `metadata` replaces the whole map. At least one identity must ' +
    'remain. Setting `steam_id`, `minecraft_uuid` or `xbox_xuid` of a customer whose `profile.claimed` is true links it: the ' +
    'typed name no longer finds it, and its tokens and portal sessions end. Verify the identity first. If another customer ' +
    'has the id, the 409 names it.',
  method: 'patch',
  path: '/v1/stores/{storeId}/customers/{customerId}',
  auth: 'api-key',
  scope: 'customers:write',
  params: customerPath,
  body: customerPatch,
  bodyExample: { name: 'Robin', xbox_xuid: null },
  success: {
    status: 200,
    description: 'The updated customer.',
    schema: customerDtoSchema,
    example: { ...customerExample, name: 'Robin', updated_at: updateExample.updated_at },
  },
  async handle({ customers }, { params, body, call }) {
    const update = {
      customerId: params.customerId,
      customer: customerInput(body),
      updateMask: { paths: customerMask(body) },
    }
    const { customer } = await customers.updateCustomer(update, call)
    return { body: customerDto(customer) }
  },
})
