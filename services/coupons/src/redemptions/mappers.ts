import type { MessageInitShape } from '@bufbuild/protobuf'
import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { present } from '@storekeep/common/message'
import { RedemptionState as ProtoState, type RedemptionSchema } from '@storekeep/proto/coupons/v1/coupon'
import { RedemptionRefusal as ProtoRefusal } from '@storekeep/proto/coupons/v1/coupons_service'
import type { Redemption, RedemptionState, Refusal } from './domain/redemption.ts'
import type { LedgerAnswer } from './ledger.ts'

/** As the answers of Reserve and Confirm. */
export function ledgerAnswerToProto({ redemption, refusal }: LedgerAnswer) {
  return present({
    redemption: redemption && redemptionToProto(redemption),
    refusal: refusal && refusalToProto[refusal],
  })
}

export function redemptionToProto(redemption: Redemption): MessageInitShape<typeof RedemptionSchema> {
  const { expiresAt, createdAt, state, ...rest } = redemption
  return {
    ...rest,
    state: stateToProto[state],
    expiresAt: timestampFromDate(expiresAt),
    createdAt: timestampFromDate(createdAt),
  }
}

const stateToProto = {
  reserved: ProtoState.RESERVED,
  confirmed: ProtoState.CONFIRMED,
  released: ProtoState.RELEASED,
  expired: ProtoState.RELEASED,
} as const satisfies Record<RedemptionState, ProtoState>

const refusalToProto = {
  exhausted: ProtoRefusal.EXHAUSTED,
  customer_limit: ProtoRefusal.CUSTOMER_LIMIT,
  changed: ProtoRefusal.CHANGED,
  released: ProtoRefusal.RELEASED,
  unknown: ProtoRefusal.UNKNOWN,
} as const satisfies Record<Refusal, ProtoRefusal>
