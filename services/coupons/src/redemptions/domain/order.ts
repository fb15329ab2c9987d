/** The codes of an order. Ids are decimal strings. */
export interface OrderCodes {
  storeId: string
  customerId: string
  couponId: string | undefined
  promoCodes: readonly string[]
  affiliateCode: string | undefined
  /** A link that was applied before. */
  affiliateLinkId: string | undefined
}

/** An order that names codes, at its prices before discounts. Amounts are minor units. */
export interface Order extends OrderCodes {
  checkoutId: string
  /** The checkout id of the redemption that this one replaces. */
  replacedCheckoutId: string | undefined
  lines: readonly PricedLine[]
  /** When the reservation ends unless it is confirmed. */
  expiresAt: Date
}

export interface PricedLine {
  /** Null for an inline product. */
  productId: string | null
  tags: readonly string[]
  quantity: number
  /** Unit price times quantity. */
  amount: bigint
  subscription: boolean
  isCouponsDisabled: boolean
  isAffiliateLinksDisabled: boolean
}
