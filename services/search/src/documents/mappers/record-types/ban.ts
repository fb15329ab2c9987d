import { timestampDate } from '@bufbuild/protobuf/wkt'
import { type Ban, BanSchema, BanType } from '@storekeep/proto/bans/v1/ban'
import { BanCreatedSchema, BanDeletedSchema, BanUpdatedSchema } from '@storekeep/proto/bans/v1/events'
import { defineRecordType } from './record-type.ts'

export const banType = defineRecordType({
  type: 'ban',
  owner: 'bans',
  schema: BanSchema,
  changes: [BanCreatedSchema, BanUpdatedSchema],
  deletions: [BanDeletedSchema],
  eventField: 'ban',
  describe(ban) {
    return {
      texts: [ban.reason, ...ban.identities.map(({ banTypeValue }) => banTypeValue)],
      ids: [ban.id, ...valuesOf(ban, BanType.MINECRAFT_UUID).map((uuid) => uuid.replaceAll('-', ''))],
      hints: {
        customer_id: valuesOf(ban, BanType.CUSTOMER),
        steam_id: valuesOf(ban, BanType.STEAM),
        minecraft_uuid: valuesOf(ban, BanType.MINECRAFT_UUID),
        xbox_xuid: valuesOf(ban, BanType.XBOX_XUID),
        name: valuesOf(ban, BanType.CUSTOMER_NAME),
        email: valuesOf(ban, BanType.EMAIL),
        ip: valuesOf(ban, BanType.IP),
      },
    }
  },
  // A ban expires without an event.
  refresh: (ban, now) => ({ ...ban, enabled: ban.expiresAt === undefined || timestampDate(ban.expiresAt) > now }),
})

function valuesOf({ identities }: Ban, type: BanType): string[] {
  return identities.filter(({ banType }) => banType === type).map(({ banTypeValue }) => banTypeValue)
}
