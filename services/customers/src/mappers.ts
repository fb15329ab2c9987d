import type { MessageInitShape } from '@bufbuild/protobuf'
import { enumFromProto, present, timestampFromDate, timestampOrAbsent } from '@storekeep/common/message'
import {
  type Account,
  type Customer,
  type PortalFlow,
  type PortalFlowSchema,
  type PortalSessionSchema,
  type CustomerInput as ProtoInput,
  MinecraftPlatform as ProtoPlatform,
  type Profile as ProtoProfile,
} from '@storekeep/proto/customers/v1/customer'
import type { CreatePortalSessionRequest } from '@storekeep/proto/customers/v1/customers_service'
import { Game } from '@storekeep/proto/stores/v1/store'
import type { CustomerRow, PortalSessionRow } from './db/schema.ts'
import { type MinecraftPlatform, type Profile, profileOf } from './domain/customer.ts'
import type { CustomerInput } from './domain/customer-draft.ts'
import type { KnownAccounts } from './domain/platform-accounts.ts'
import type { PortalFlowKind, PortalSessionInput } from './domain/portal-session.ts'
import type { SignInStore } from './domain/sign-in.ts'

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

export function portalSessionInputFromProto(request: CreatePortalSessionRequest): PortalSessionInput {
  const { flow, expiresInSeconds, returnUrl } = request
  return { flow: flow && portalFlowFromProto(flow), expiresInSeconds, returnUrl }
}

/** Without the token: only its hash is stored. */
export function portalSessionToProto(row: PortalSessionRow): MessageInitShape<typeof PortalSessionSchema> {
  const { flow, subscriptionId } = row
  return present({
    id: row.id,
    storeId: row.storeId,
    customerId: row.customerId,
    createdAt: timestampFromDate(row.createdAt),
    expiresAt: timestampFromDate(row.expiresAt),
    flow: flow !== null && subscriptionId !== null ? portalFlowToProto(flow, subscriptionId) : undefined,
    returnUrl: row.returnUrl,
  })
}

/** @returns undefined for games without the direct flow, including future ones */
export function signInGameFromProto(game: Game): SignInStore['game'] {
  switch (game) {
    case Game.MINECRAFT:
      return 'minecraft'
    case Game.MINECRAFT_OFFLINE:
      return 'minecraft_offline'
    case Game.MINECRAFT_GEYSER:
      return 'minecraft_geyser'
    default:
      return undefined
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

function profileToProto({ avatarUrl, ...profile }: Profile): ProtoProfile {
  return { $typeName: 'storekeep.customers.v1.Profile', ...profile, avatarUrl: avatarUrl ?? undefined }
}

function portalFlowFromProto({ flow }: PortalFlow): PortalSessionInput['flow'] {
  switch (flow.case) {
    case 'subscriptionCancel':
      return { kind: 'subscription_cancel', subscriptionId: flow.value.subscriptionId }
    case 'subscriptionPaymentMethodUpdate':
      return { kind: 'subscription_payment_method_update', subscriptionId: flow.value.subscriptionId }
    case undefined:
      return undefined
  }
}

function portalFlowToProto(kind: PortalFlowKind, subscriptionId: string): MessageInitShape<typeof PortalFlowSchema> {
  switch (kind) {
    case 'subscription_cancel':
      return { flow: { case: 'subscriptionCancel', value: { subscriptionId } } }
    case 'subscription_payment_method_update':
      return { flow: { case: 'subscriptionPaymentMethodUpdate', value: { subscriptionId } } }
  }
}
