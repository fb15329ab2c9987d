import type { Metadata } from '../../products/domain/product.ts'
import type { TermsInput } from '../../products/domain/product-terms.ts'
import type { CustomerDetails } from './checkout-session.ts'

/** An order as requested, not validated. An absent field is unset. */
export interface CheckoutInput {
  customerId: string
  lines: readonly LineInput[]
  couponId: string | undefined
  promoCodes: readonly string[]
  affiliateCode: string | undefined
  returnUrl: string | undefined
  cancelUrl: string | undefined
  autoRedirect: boolean
  editable: boolean
  metadata: Metadata
  customerDetails: CustomerDetails | null
  /** For the ban check. */
  customerIp: string | undefined
  /** The country of the customer's IP address, for the tax. */
  customerCountry: string | undefined
}

export interface LineInput {
  quantity: number
  item: { kind: 'product'; productId: string } | { kind: 'inline'; terms: TermsInput } | undefined
  subscription: boolean
  trial: boolean
  recipient: Recipient | undefined
  selectedGameserverId: string | undefined
  customVariables: Record<string, string>
  metadata: Metadata
  payoutSplits: readonly PayoutSplitInput[]
  /** The line of the customer's cart that is bought. */
  cartKey: string | undefined
}

/** The recipient of a gift: a customer, or an account on a platform. */
export type Recipient = { kind: 'customer'; customerId: string } | { kind: 'account'; account: PlatformAccount }

export interface PlatformAccount {
  platform: string
  id: string
}

export interface PayoutSplitInput {
  payoutId: string
  percentage: bigint | undefined
  platformFee: bigint | undefined
}
