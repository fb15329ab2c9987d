import type { MessageInitShape } from '@bufbuild/protobuf'
import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import type { Call, Handlers } from '@storekeep/common/grpc'
import { type BanSchema, BanType } from '@storekeep/proto/bans/v1/ban'
import type { BansService } from '@storekeep/proto/bans/v1/bans_service'
import { newId } from './ids.ts'

/** The bans service without its rules. */
export function bansHandlers(): Handlers<typeof BansService> {
  const one = async (id: string, call: Call) => ({ ban: banMessage(id, call) })
  return {
    createBan: (_request, call) => one(newId(), call),
    getBan: ({ banId }, call) => one(banId, call),
    listBans: async (_request, call) => ({
      bans: [banMessage(newId(), call)],
      page: { hasNext: false, hasPrevious: false },
    }),
    updateBan: ({ banId }, call) => one(banId, call),
    deleteBan: async () => ({}),
    checkBan: async () => ({}),
  }
}

export function banMessage(id: string, { storeId = '', actor }: Call): MessageInitShape<typeof BanSchema> {
  return {
    id,
    storeId,
    reason: 'Fraud',
    identities: [{ banType: BanType.XBOX_XUID, banTypeValue: '7' }],
    createdBy: actor,
    createdAt: timestampFromDate(new Date('2026-11-20T14:35:17.042Z')),
    enabled: true,
    version: 1n,
  }
}
