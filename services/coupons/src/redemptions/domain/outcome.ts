import type { Violation } from '@storekeep/common/errors'
import type { ChosenCodes } from './codes.ts'
import type { Discounts } from './discounts.ts'
import { type Redemption, type Rejection, rejections } from './redemption.ts'

/** The checkout whose entry in the ledger an operation changes, and the time at which it does. */
export interface LedgerRequest {
  storeId: string
  checkoutId: string
  now: Date
}

/** What an operation of the ledger did. */
export interface RedemptionOutcome {
  /** Absent if the operation was rejected or the checkout has none. */
  redemption?: Redemption
  rejection?: Rejection
  /** Absent if nothing changed. */
  effect?: (typeof effects)[number]
  /** How many expired reservations were ended to make room. */
  expired?: number
}

export interface ReserveOutcome extends RedemptionOutcome, Discounts, ChosenCodes {
  /** Why codes cannot be used. If there are any, nothing was reserved. */
  violations: readonly Violation[]
}

/** `closed`: the checkout held nothing and can no longer reserve. */
const effects = ['reserved', 'confirmed', 'released', 'closed'] as const

/** What the metric counts: the outcomes of operations (`repeated` if nothing changed), and reservations that expire. */
export const countedOutcomes = [
  ...effects,
  'repeated',
  'expired',
  ...rejections.map((rejection) => `rejected_${rejection}` as const),
]

export type CountedOutcome = (typeof countedOutcomes)[number]
