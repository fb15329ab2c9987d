import { z } from 'zod'
import { endpoint } from '../../http/endpoint.ts'
import { flakeId, steamId, text, uuid, xboxXuid } from '../../schemas/fields.ts'
import { customerDto, customerDtoSchema, customerExample } from './customer-dto.ts'

export const lookupCustomer = endpoint({
  operationId: 'Customers_LookupCustomer',
  tag: 'Customers',
  summary: 'Find a customer by an identity',
  description: 'At least one parameter; several must all hold. Of several customers with a name, the oldest.',
  method: 'get',
  path: '/v1/stores/{storeId}/customers/lookup',
  auth: 'api-key',
  scope: 'customers:read',
  query: z.object({
    id: flakeId.optional(),
    steam_id: steamId.optional(),
    minecraft_uuid: uuid.optional(),
    xbox_xuid: xboxXuid.optional(),
    minecraft_java_name: text(1, 256).optional().meta({ description: 'Profile name on Java.' }),
    minecraft_bedrock_name: text(1, 256).optional().meta({ description: 'Profile name on Bedrock.' }),
    name: text(1, 256).optional().meta({ description: 'Only a name that the store set; in any case.' }),
  }),
  success: { status: 200, description: 'The customer.', schema: customerDtoSchema, example: customerExample },
  errors: ['not-found'],
  async handle({ customers }, { query, call }) {
    const criteria = {
      id: query.id,
      steamId: query.steam_id,
      minecraftUuid: query.minecraft_uuid,
      xboxXuid: query.xbox_xuid,
      minecraftJavaName: query.minecraft_java_name,
      minecraftBedrockName: query.minecraft_bedrock_name,
      name: query.name,
    }
    const { customer } = await customers.lookupCustomer(definedMembers(criteria), call)
    return { body: customerDto(customer) }
  },
})

/** Without the members that are undefined, which a message does not take. */
function definedMembers<T extends object>(members: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as never
}
