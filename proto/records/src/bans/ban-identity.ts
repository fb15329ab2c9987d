import { BanType } from '@storekeep/proto/bans/v1/ban'
import { z } from 'zod'
import { nameOf } from '../schemas/enums.ts'

const names = ['unknown', 'steam', 'ip', 'customer', 'customer_name', 'email', 'minecraft_uuid', 'xbox_xuid'] as const

export const banType = z.enum(names).meta({
  id: 'BanType',
  description: 'Kind of identity. `unknown` is rejected and never returned.',
})

/** The bans service validates the value against its type. */
export const banIdentity = z
  .object({
    ban_type: banType.describe('Kind of identity.'),
    ban_type_value: z
      .string()
      .describe(
        'The identity: a SteamID64, IPv4 or IPv6 address, customer id, name (case-insensitive), email address, UUID or ' +
          'XUID. Returned in canonical form; a name unchanged.',
      ),
  })
  .meta({ id: 'BanIdentityDto', description: 'One identity of a customer.' })

/** Identities as the bans service expects them. */
export function identityMessages(identities: readonly z.output<typeof banIdentity>[]) {
  return identities.map(({ ban_type, ban_type_value }) => ({
    banType: banTypeValues[ban_type],
    banTypeValue: ban_type_value,
  }))
}

export const banTypeValues = {
  unknown: BanType.UNKNOWN,
  steam: BanType.STEAM,
  ip: BanType.IP,
  customer: BanType.CUSTOMER,
  customer_name: BanType.CUSTOMER_NAME,
  email: BanType.EMAIL,
  minecraft_uuid: BanType.MINECRAFT_UUID,
  xbox_xuid: BanType.XBOX_XUID,
} as const satisfies Record<(typeof names)[number], BanType>

export function banTypeName(type: BanType): (typeof names)[number] {
  return nameOf(banTypeValues, type, 'unknown')
}
