import { customerDto, customerDtoSchema, customerExample } from '@storekeep/records/customers/customer-dto'
import { flakeId, steamId, text, uuid, xboxXuid } from '@storekeep/records/schemas/fields'
import { z } from 'zod'
import { endpoint } from '../../http/endpoint.ts'

export const lookupCustomer = endpoint({
  operationId: 'lookupCustomer',
  tag: 'Customers',
  summary: 'Look up a customer',
  description:
    'Finds a customer by an exact identity. At least one parameter is required; all given parameters must match. If ' +
    'several customers match, the oldest is returned. `steam_id`, `minecraft_uuid` and `xbox_xuid` never find a customer whose ' +
    '`profile.claimed` is true; a Minecraft name finds one if no other customer has that profile name.',
  method: 'get',
  path: '/v1/stores/{storeId}/customers/lookup',
  auth: 'api-key',
  scope: 'customers:read',
  query: z.object({
    id: flakeId.optional().describe('Id of the customer.'),
    steam_id: steamId.optional().describe('SteamID64.'),
    minecraft_uuid: uuid
      .optional()
      .describe('UUID of the Minecraft account. Case-insensitive, with or without dashes.'),
    xbox_xuid: xboxXuid.optional().describe('Xbox user id (XUID).'),
    minecraft_java_name: text(1, 256).optional().meta({ description: 'Profile name of a Java Edition account.' }),
    minecraft_bedrock_name: text(1, 256).optional().meta({ description: 'Profile name of a Bedrock Edition account.' }),
    name: text(1, 256)
      .optional()
      .meta({ description: 'Name that the store gave the customer, case-insensitive; profile names do not match.' }),
  }),
  queryExample: { steam_id: '76561197960287930' },
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
    const { customer } = await customers.lookupCustomer(withoutUndefined(criteria), call)
    return { body: customerDto(customer) }
  },
})

/** Drops undefined values, which a protobuf message does not accept. */
function withoutUndefined<T extends object>(criteria: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(criteria).filter(([, value]) => value !== undefined)) as never
}
