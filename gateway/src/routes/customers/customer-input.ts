import { MinecraftPlatform } from '@storekeep/proto/customers/v1/customer'
import { z } from 'zod'
import { fails, metadata, steamId, text, uuid, xboxXuid } from '../../schemas/fields.ts'
import { minecraftPlatforms } from './customer-dto.ts'

const members = {
  steam_id: steamId.nullish(),
  minecraft_uuid: uuid.nullish(),
  minecraft_platform: z.enum(minecraftPlatforms).nullish(),
  xbox_xuid: xboxXuid.nullish(),
  name: text(1, 128).nullish(),
  metadata: metadata.nullish(),
}

/** Body of a PATCH: what is absent stays, null clears. */
export const customerPatch = z.object(members).meta({
  override: ({ jsonSchema }) => {
    for (const keyword of Object.keys(jsonSchema)) delete jsonSchema[keyword as keyof typeof jsonSchema]
    jsonSchema.$ref = '#/components/schemas/UpsertCustomerRequestDto'
  },
})

/** Body of a create; null is the same as absent. */
export const newCustomer = z
  .object(members)
  .refine(hasIdentity, fails('required', 'needs at least one of steam_id, minecraft_uuid, xbox_xuid and name'))
  .meta({
    id: 'UpsertCustomerRequestDto',
    description: 'A new customer needs at least one of steam_id, minecraft_uuid, xbox_xuid and name.',
  })

export const newCustomerExample: z.input<typeof newCustomer> = {
  steam_id: '76561197960287930',
  metadata: { rank: 'vip' },
}

/** The members as the customers service takes them; null is left out. */
export function customerInput(body: z.output<typeof customerPatch>) {
  const { steam_id, minecraft_uuid, minecraft_platform, xbox_xuid, name } = body
  return {
    metadata: body.metadata ?? {},
    ...(steam_id != null && { steamId: steam_id }),
    ...(minecraft_uuid != null && { minecraftUuid: minecraft_uuid }),
    ...(minecraft_platform != null && { minecraftPlatform: platformValues[minecraft_platform] }),
    ...(xbox_xuid != null && { xboxXuid: xbox_xuid }),
    ...(name != null && { name }),
  }
}

/** The members that the body names, null ones too: what the PATCH changes. */
export function customerMask(body: z.output<typeof customerPatch>): string[] {
  return Object.keys(members).filter((name) => body[name as keyof typeof members] !== undefined)
}

const platformValues = {
  unknown: MinecraftPlatform.UNKNOWN,
  java: MinecraftPlatform.JAVA,
  bedrock: MinecraftPlatform.BEDROCK,
} as const

function hasIdentity(body: { [K in 'steam_id' | 'minecraft_uuid' | 'xbox_xuid' | 'name']?: unknown }): boolean {
  return [body.steam_id, body.minecraft_uuid, body.xbox_xuid, body.name].some((identity) => identity != null)
}
