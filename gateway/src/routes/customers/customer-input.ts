import { customerLimits } from '@storekeep/proto/conventions/limits'
import { MinecraftPlatform } from '@storekeep/proto/customers/v1/customer'
import { customerText, minecraftPlatform } from '@storekeep/records/customers/customer-dto'
import { fails, metadata, metadataText, steamId, text, uuid, xboxXuid } from '@storekeep/records/schemas/fields'
import { sameSchemaAs } from '@storekeep/records/schemas/same-schema-as'
import { z } from 'zod'

const fields = {
  steam_id: steamId.nullish().describe(customerText.steam_id),
  minecraft_uuid: uuid.nullish().describe(customerText.minecraft_uuid),
  minecraft_platform: minecraftPlatform.nullish().describe(customerText.minecraft_platform),
  xbox_xuid: xboxXuid.nullish().describe(customerText.xbox_xuid),
  name: text(1, customerLimits.nameLength).nullish().describe(customerText.name),
  metadata: metadata.nullish().describe(metadataText),
}

export const customerPatch = z.object(fields).meta({ override: sameSchemaAs('UpsertCustomerRequestDto') })

/** Null counts as absent. */
export const newCustomer = z
  .object(fields)
  .refine(hasIdentity, fails('required', 'needs at least one of steam_id, minecraft_uuid, xbox_xuid and name'))
  .meta({
    id: 'UpsertCustomerRequestDto',
    description:
      'A new customer, or changes to one. A customer needs at least one of `steam_id`, `minecraft_uuid`, `xbox_xuid` and ' +
      '`name`.',
  })

export const newCustomerExample: z.input<typeof newCustomer> = {
  steam_id: '76561197960287930',
  metadata: { rank: 'vip' },
}

/** The body as the customers service expects it, without null fields. */
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

/** The field mask of a PATCH: the fields in its body, including null ones. */
export function customerMask(body: z.output<typeof customerPatch>): string[] {
  return Object.keys(fields).filter((name) => body[name as keyof typeof fields] !== undefined)
}

const platformValues = {
  unknown: MinecraftPlatform.UNKNOWN,
  java: MinecraftPlatform.JAVA,
  bedrock: MinecraftPlatform.BEDROCK,
} as const

/** Checked here too, so that a bulk response can name such items together with otherwise invalid ones. */
function hasIdentity(body: { [K in 'steam_id' | 'minecraft_uuid' | 'xbox_xuid' | 'name']?: unknown }): boolean {
  return [body.steam_id, body.minecraft_uuid, body.xbox_xuid, body.name].some((identity) => identity != null)
}
