import { type Account, type Customer, MinecraftPlatform } from '@storekeep/proto/customers/v1/customer'
import { z } from 'zod'
import { metadataText, stringMap } from '../schemas/fields.ts'
import { auditFields, idFields } from '../schemas/record.ts'
import { dateTime, printTime } from '../schemas/times.ts'

const minecraftPlatforms = ['unknown', 'java', 'bedrock'] as const

export const minecraftPlatform = z.enum(minecraftPlatforms).meta({
  id: 'MinecraftPlatformDto',
  description: 'Edition of a Minecraft account.',
})

const profilePlatform = z.enum(['steam', 'minecraft', 'service']).meta({
  id: 'CustomerProfilePlatformDto',
  description: 'Platform of a profile; `service` for a customer without an account that has been looked up.',
})

/** Descriptions of the fields of a customer, the same in requests and responses. */
export const customerText = {
  steam_id: 'SteamID64 of the customer; unique within the store.',
  minecraft_uuid: 'UUID of the Minecraft account; unique within the store. Case-insensitive, with or without dashes.',
  minecraft_platform: 'Edition of the Minecraft account.',
  xbox_xuid: 'Xbox user id (XUID); unique within the store. Leading zeros are dropped.',
  name: 'Name that the store gave the customer; never filled in from a profile. Names need not be unique.',
} as const

const accountDto = z
  .object({
    id: z.string().describe('Id of the account on its platform.'),
    name: z.string().describe('Display name of the account.'),
    avatar_url: z.string().nullable().describe('URL of the avatar image.'),
  })
  .meta({ id: 'PlatformAccountDto', description: 'An account on Steam or Minecraft.' })

const profileDto = z
  .object({
    id: z.string().describe('Id of the account on its platform, or of the customer for `service`.'),
    platform: profilePlatform.describe('Platform that the profile comes from.'),
    name: z.string().describe('Name to show.'),
    avatar_url: z.string().nullable().describe('URL of the avatar image.'),
    claimed: z
      .boolean()
      .describe(
        'True if only a typed name identifies the customer, so anyone can sign in as them by typing it. False as ' +
          'soon as your server has set a `steam_id`, `minecraft_uuid` or `xbox_xuid`.',
      ),
  })
  .meta({ id: 'CustomerProfileDto', description: 'How to show a customer.' })

export const customerDtoSchema = z
  .object({
    ...idFields('customer'),
    profile: profileDto.describe('How to show the customer on any platform.'),
    steam_id: z.string().nullable().describe(customerText.steam_id),
    steam: accountDto.nullable().describe('Steam account of the customer; null until it has been looked up.'),
    minecraft_uuid: z
      .string()
      .nullable()
      .meta({ description: 'UUID of the Minecraft account, dashed and in lower case.', override: { format: 'uuid' } }),
    minecraft: accountDto
      .nullable()
      .describe(
        'Minecraft account of the customer; null until it has been looked up. For a claimed customer, the typed name.',
      ),
    xbox_xuid: z.string().nullable().describe(customerText.xbox_xuid),
    minecraft_platform: minecraftPlatform.nullable().describe(customerText.minecraft_platform),
    name: z.string().nullable().describe(customerText.name),
    created_at: auditFields.created_at,
    updated_at: dateTime.nullable().describe('When the record last changed; null if it never changed.'),
    metadata: stringMap.describe(metadataText),
  })
  .meta({ id: 'CustomerDto', description: 'A person who buys in the store, known by at least one identity.' })

export type CustomerDto = z.input<typeof customerDtoSchema>

export function customerDto(customer: Customer | undefined): CustomerDto {
  if (!customer?.createdAt || !customer.profile) throw new Error('A service returned no customer.')
  const { profile } = customer
  return {
    id: customer.id,
    store_id: customer.storeId,
    profile: { ...accountOf(profile), platform: platformOf(profile.platform), claimed: profile.claimed },
    steam_id: customer.steamId ?? null,
    steam: customer.steam ? accountOf(customer.steam) : null,
    minecraft_uuid: customer.minecraftUuid ?? null,
    minecraft: customer.minecraft ? accountOf(customer.minecraft) : null,
    xbox_xuid: customer.xboxXuid ?? null,
    minecraft_platform: platformNames[customer.minecraftPlatform ?? MinecraftPlatform.UNSPECIFIED] ?? null,
    name: customer.name ?? null,
    created_at: printTime(customer.createdAt),
    updated_at: printTime(customer.updatedAt),
    metadata: { ...customer.metadata },
  }
}

const platformNames: Record<MinecraftPlatform, (typeof minecraftPlatforms)[number] | null> = {
  [MinecraftPlatform.UNSPECIFIED]: null,
  [MinecraftPlatform.UNKNOWN]: 'unknown',
  [MinecraftPlatform.JAVA]: 'java',
  [MinecraftPlatform.BEDROCK]: 'bedrock',
}

export const customerExample: CustomerDto = {
  id: '411486491630370816',
  store_id: '411486491596816384',
  profile: { id: '76561197960287930', platform: 'steam', name: 'Robin', avatar_url: null, claimed: false },
  steam_id: '76561197960287930',
  steam: { id: '76561197960287930', name: 'Robin', avatar_url: null },
  minecraft_uuid: null,
  minecraft: null,
  xbox_xuid: null,
  minecraft_platform: null,
  name: null,
  created_at: '2026-11-20T14:35:17.000Z',
  updated_at: null,
  metadata: { rank: 'vip' },
}

function accountOf({ id, name, avatarUrl }: Pick<Account, 'id' | 'name' | 'avatarUrl'>) {
  return { id, name, avatar_url: avatarUrl ?? null }
}

function platformOf(text: string): 'steam' | 'minecraft' | 'service' {
  return text === 'steam' || text === 'minecraft' ? text : 'service'
}
