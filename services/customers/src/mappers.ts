import type { MessageInitShape } from '@bufbuild/protobuf'
import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import {
  type Customer,
  type CustomerSchema,
  type PortalFlow,
  type PortalFlowSchema,
  type PortalSessionSchema,
  MinecraftPlatform as ProtoPlatform,
} from '@storekeep/proto/customers/v1/customer'
import type {
  CreatePortalSessionRequest,
  CustomerInput as ProtoInput,
} from '@storekeep/proto/customers/v1/customers_service'
import { Game } from '@storekeep/proto/stores/v1/store'
import type { CustomerRow, PortalSessionRow } from './db/schema.ts'
import { type MinecraftPlatform, minecraftPlatforms, profileOf } from './domain/customer.ts'
import type { CustomerInput } from './domain/customer-draft.ts'
import type { PortalFlowKind, PortalSessionInput } from './domain/portal-session.ts'
import type { SignInStore } from './domain/sign-in.ts'

/** An absent input is one without members. */
export function customerInputFromProto(input: ProtoInput | undefined): CustomerInput {
  if (!input) return { metadata: {} }
  const { steamId, minecraftUuid, minecraftPlatform, xboxXuid, name, metadata } = input
  return {
    steamId,
    minecraftUuid,
    minecraftPlatform: minecraftPlatform === undefined ? undefined : platformFromProto(minecraftPlatform),
    xboxXuid,
    name,
    metadata,
  }
}

export function customerToProto(row: CustomerRow): MessageInitShape<typeof CustomerSchema> {
  const { minecraftPlatform } = row
  const minecraftId = row.minecraftUuid ?? row.minecraftName
  return {
    id: row.id,
    storeId: row.storeId,
    profile: named(profileOf(row)),
    ...(row.steamId !== null && { steamId: row.steamId }),
    ...(row.steamId !== null &&
      row.steamName !== null && { steam: account(row.steamId, row.steamName, row.steamAvatarUrl) }),
    ...(row.minecraftUuid !== null && { minecraftUuid: row.minecraftUuid }),
    ...(minecraftId !== null &&
      row.minecraftName !== null && { minecraft: account(minecraftId, row.minecraftName, row.minecraftAvatarUrl) }),
    ...(minecraftPlatform !== null && { minecraftPlatform: platformToProto[minecraftPlatform] }),
    ...(row.xboxXuid !== null && { xboxXuid: row.xboxXuid }),
    ...(row.name !== null && { name: row.name }),
    createdAt: timestampFromDate(row.createdAt),
    ...(row.updatedAt !== null && { updatedAt: timestampFromDate(row.updatedAt) }),
    metadata: row.metadata,
    version: BigInt(row.version),
  }
}

/** The accounts of a customer of which nothing but the id is known, and that somebody can be asked about. */
export function missingAccounts(customer: Customer | undefined): { steamId?: string; minecraftUuid?: string } {
  if (!customer) return {}
  const { steamId, steam, minecraftUuid, minecraft, minecraftPlatform } = customer
  return {
    ...(steamId !== undefined && !steam && { steamId }),
    // Bedrock players have uuids of their servers' making, which nobody knows.
    ...(minecraftUuid !== undefined && !minecraft && minecraftPlatform !== ProtoPlatform.BEDROCK && { minecraftUuid }),
  }
}

export function portalSessionInputFromProto(request: CreatePortalSessionRequest): PortalSessionInput {
  const { flow, expiresInSeconds, returnUrl } = request
  return { flow: flow && portalFlowFromProto(flow), expiresInSeconds, returnUrl }
}

/** Without the token, of which only the hash is kept. */
export function portalSessionToProto(row: PortalSessionRow): MessageInitShape<typeof PortalSessionSchema> {
  return {
    id: row.id,
    storeId: row.storeId,
    customerId: row.customerId,
    createdAt: timestampFromDate(row.createdAt),
    expiresAt: timestampFromDate(row.expiresAt),
    ...(row.flow !== null && row.subscriptionId !== null && { flow: portalFlowToProto(row.flow, row.subscriptionId) }),
    ...(row.returnUrl !== null && { returnUrl: row.returnUrl }),
  }
}

/** Undefined for every game without the direct flow, those to come included. */
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

function platformFromProto(platform: ProtoPlatform): MinecraftPlatform | 'invalid' {
  return minecraftPlatforms.find((one) => platformToProto[one] === platform) ?? 'invalid'
}

function account(id: string, name: string, avatarUrl: string | null) {
  return named({ id, name, avatarUrl })
}

/** Leaves the picture out when there is none, as `optional` members of messages are. */
function named<T extends { avatarUrl: string | null }>({ avatarUrl, ...rest }: T) {
  return avatarUrl === null ? rest : { ...rest, avatarUrl }
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
