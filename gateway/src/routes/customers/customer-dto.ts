import { type Account, type Customer, MinecraftPlatform } from '@storekeep/proto/customers/v1/customer'
import { z } from 'zod'
import { flakeId } from '../../schemas/fields.ts'
import { dateTime, printTime } from '../../schemas/times.ts'

const accountDto = z.object({ id: z.string(), name: z.string(), avatar_url: z.string().nullable() })

export const minecraftPlatforms = ['unknown', 'java', 'bedrock'] as const

export const customerDtoSchema = z
  .object({
    id: flakeId,
    store_id: flakeId,
    profile: z
      .object({
        id: z.string(),
        platform: z.enum(['steam', 'minecraft', 'service']),
        name: z.string(),
        avatar_url: z.string().nullable(),
      })
      .nullable()
      .meta({ description: 'How to show the customer, whatever the platform.' }),
    steam_id: z.string().nullable(),
    steam: accountDto.nullable().meta({ description: 'The Steam account; null until it was looked up.' }),
    minecraft_uuid: z
      .string()
      .nullable()
      .meta({ override: { format: 'uuid' } }),
    minecraft: accountDto.nullable().meta({ description: 'The Minecraft account; null until it is known.' }),
    xbox_xuid: z.string().nullable(),
    minecraft_platform: z.enum(minecraftPlatforms).nullable(),
    name: z.string().nullable().meta({ description: 'Set by the store; never filled in from a profile.' }),
    created_at: dateTime,
    updated_at: dateTime.nullable(),
    metadata: z.record(z.string(), z.string()),
  })
  .meta({ id: 'CustomerDto' })

export type CustomerDto = z.input<typeof customerDtoSchema>

/** A customer as the public interface prints it; what has no value is null. */
export function customerDto(customer: Customer | undefined): CustomerDto {
  if (!customer?.createdAt) throw new Error('A service answered without the customer.')
  const { profile } = customer
  return {
    id: customer.id,
    store_id: customer.storeId,
    profile: profile ? { ...accountOf(profile), platform: profilePlatform(profile.platform) } : null,
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
  profile: { id: '76561197960287930', platform: 'steam', name: 'Robin', avatar_url: null },
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

function profilePlatform(text: string): 'steam' | 'minecraft' | 'service' {
  return text === 'steam' || text === 'minecraft' ? text : 'service'
}
