import { enumFromProto, timestampFromDate, timestampOrAbsent } from '@storekeep/common/message'
import {
  type Account,
  type Customer,
  type CustomerInput as ProtoInput,
  MinecraftPlatform as ProtoPlatform,
  type Profile as ProtoProfile,
} from '@storekeep/proto/customers/v1/customer'
import type { CustomerRow } from './db/schema.ts'
import { type MinecraftPlatform, type Profile, profileOf } from './domain/customer.ts'
import type { CustomerInput } from './domain/customer-draft.ts'
import type { KnownAccounts } from './domain/platform-accounts.ts'

/** Treats an absent input as an empty one. */
export function customerInputFromProto(input: ProtoInput | undefined): CustomerInput {
  if (!input) return { metadata: {} }
  const { steamId, minecraftUuid, minecraftPlatform, xboxXuid, name, metadata } = input
  return {
    steamId,
    minecraftUuid,
    minecraftPlatform: enumFromProto(platformToProto, minecraftPlatform),
    xboxXuid,
    name,
    metadata,
  }
}

export function customerToProto(row: CustomerRow): Customer {
  const { steamId, minecraftPlatform } = row
  const minecraftId = row.minecraftUuid ?? row.minecraftName
  return {
    $typeName: 'storekeep.customers.v1.Customer',
    id: row.id,
    storeId: row.storeId,
    profile: profileToProto(profileOf(row)),
    steamId: steamId ?? undefined,
    steam: account(steamId, row.steamName, row.steamAvatarUrl),
    minecraftUuid: row.minecraftUuid ?? undefined,
    minecraft: account(minecraftId, row.minecraftName, row.minecraftAvatarUrl),
    minecraftPlatform: minecraftPlatform === null ? undefined : platformToProto[minecraftPlatform],
    xboxXuid: row.xboxXuid ?? undefined,
    name: row.name ?? undefined,
    createdAt: timestampFromDate(row.createdAt),
    updatedAt: timestampOrAbsent(row.updatedAt),
    metadata: row.metadata,
    version: BigInt(row.version),
  }
}

export function knownAccountsFromProto(customer: Customer): KnownAccounts {
  const { steamId = null, steam, minecraftUuid = null, minecraft, minecraftPlatform } = customer
  return {
    steamId,
    steamName: steam?.name ?? null,
    minecraftUuid,
    minecraftName: minecraft?.name ?? null,
    isBedrock: minecraftPlatform === ProtoPlatform.BEDROCK,
  }
}

const platformToProto = {
  unknown: ProtoPlatform.UNKNOWN,
  java: ProtoPlatform.JAVA,
  bedrock: ProtoPlatform.BEDROCK,
} as const satisfies Record<MinecraftPlatform, ProtoPlatform>

/** @returns undefined for an account that was not looked up yet */
function account(id: string | null, name: string | null, avatarUrl: string | null): Account | undefined {
  if (id === null || name === null) return undefined
  return { $typeName: 'storekeep.customers.v1.Account', id, name, avatarUrl: avatarUrl ?? undefined }
}

export function profileToProto({ avatarUrl, ...profile }: Profile): ProtoProfile {
  return { $typeName: 'storekeep.customers.v1.Profile', ...profile, avatarUrl: avatarUrl ?? undefined }
}
