import type { Violation } from '@storekeep/common/errors'
import type { CartLine } from './cart.ts'

/** A cart at its current prices. */
export interface PricedCart {
  lines: readonly PricedCartLine[]
  /** Of the lines without a problem. */
  subtotalAmount: bigint
  currency: string
  updatedAt: Date | null
}

export interface PricedCartLine {
  line: CartLine
  name: string | undefined
  slug: string | null | undefined
  imageUrl: string | null | undefined
  unitPrice: bigint | undefined
  totalAmount: bigint | undefined
  problem: Violation | undefined
}
