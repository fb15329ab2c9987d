import type { MessageInitShape } from '@bufbuild/protobuf'
import { timestampDate } from '@bufbuild/protobuf/wkt'
import { actorFromText, enumFromProto, present, timestampFromDate, timestampOrAbsent } from '@storekeep/common/message'
import {
  type BanSchema,
  type BanIdentity as ProtoIdentity,
  type BanInput as ProtoInput,
  BanType as ProtoType,
} from '@storekeep/proto/bans/v1/ban'
import type { ListBansRequest } from '@storekeep/proto/bans/v1/bans_service'
import type { BanRow } from './db/schema.ts'
import { type BanType, isEnabled } from './domain/ban.ts'
import type { BanInput } from './domain/ban-draft.ts'
import type { FilterInput } from './domain/ban-filter.ts'
import type { IdentityInput } from './domain/identity-input.ts'

/** Treats an absent input as an empty one. */
export function banInputFromProto(input: ProtoInput | undefined): BanInput {
  if (!input) return { identities: [] }
  const { reason, identities, expiresAt } = input
  return {
    reason,
    identities: identities.map(identityFromProto),
    expiresAt: expiresAt && timestampDate(expiresAt),
  }
}

export function identityFromProto({ banType, banTypeValue }: ProtoIdentity): IdentityInput {
  return { type: enumFromProto(typeToProto, banType), value: banTypeValue }
}

export function filterFromProto({ banType, banTypeValue, reason }: ListBansRequest): FilterInput {
  return {
    type: enumFromProto(typeToProto, banType),
    value: banTypeValue,
    reason,
  }
}

/** @param now determines `enabled` */
export function banToProto(row: BanRow, now: Date): MessageInitShape<typeof BanSchema> {
  return present({
    id: row.id,
    storeId: row.storeId,
    reason: row.reason,
    identities: row.identities.map(({ type, value }) => ({ banType: typeToProto[type], banTypeValue: value })),
    createdBy: actorFromText(row.createdBy),
    createdAt: timestampFromDate(row.createdAt),
    updatedBy: row.updatedBy === null ? undefined : actorFromText(row.updatedBy),
    updatedAt: timestampOrAbsent(row.updatedAt),
    expiresAt: timestampOrAbsent(row.expiresAt),
    enabled: isEnabled(row, now),
    version: BigInt(row.version),
  })
}

const typeToProto = {
  steam: ProtoType.STEAM,
  ip: ProtoType.IP,
  customer: ProtoType.CUSTOMER,
  customer_name: ProtoType.CUSTOMER_NAME,
  email: ProtoType.EMAIL,
  minecraft_uuid: ProtoType.MINECRAFT_UUID,
  xbox_xuid: ProtoType.XBOX_XUID,
} as const satisfies Record<BanType, ProtoType>
