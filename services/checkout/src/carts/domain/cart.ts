import { createHash } from 'node:crypto'
import { errors, type Violation, violation } from '@storekeep/common/errors'
import { checkoutLimits } from '@storekeep/proto/conventions/limits'
import { type CheckoutDraft, checkDraft } from '../../sessions/domain/checkout-draft.ts'
import type { CheckoutInput, LineInput, Recipient } from '../../sessions/domain/checkout-input.ts'
import type { CustomerDetails } from '../../sessions/domain/checkout-session.ts'

/** A line of a cart, as its customer has set it. */
export interface CartLine {
  productId: string
  quantity: number
  subscription: boolean
  recipient: Recipient | null
  selectedGameserverId: string | null
  customVariables: Record<string, string>
}

export interface Cart {
  lines: readonly CartLine[]
  updatedAt: Date
}

/** What a customer decides besides the lines. */
export interface CartOrder
  extends Pick<
    CheckoutInput,
    'promoCodes' | 'affiliateCode' | 'returnUrl' | 'cancelUrl' | 'autoRedirect' | 'customerIp' | 'customerCountry'
  > {
  customerDetails: CustomerDetails | null
}

/**
 * Asserts that a checkout could accept the lines.
 * @throws ServiceFault `validation-failed` naming every invalid field
 */
export function checkCartLines(customerId: string, lines: readonly CartLine[]): void {
  if (lines.length > checkoutLimits.lines) {
    throw errors.validationFailed([violation('lines', 'length', `must have at most ${checkoutLimits.lines} items`)])
  }
  // Answers are stored as they are given.
  if (JSON.stringify(lines).length > maxTextLength) {
    throw errors.validationFailed([violation('lines', 'max', 'must take at most 64 KiB together')])
  }
  if (lines.length > 0) draftOfCart(customerId, lines)
}

/** The lines as an order. @throws ServiceFault `validation-failed` naming every invalid field */
export function draftOfCart(customerId: string, lines: readonly CartLine[]): CheckoutDraft {
  return checkDraft(orderOfCart(customerId, lines, nothing))
}

/** The order of a cart, which the buyer may edit. */
export function orderOfCart(customerId: string, lines: readonly CartLine[], order: CartOrder): CheckoutInput {
  return { ...order, customerId, lines: lines.map(lineInput), couponId: undefined, editable: true, metadata: {} }
}

/** What is wrong with a line of a cart. @param at path of the line: "lines.0" */
export function problemOf(violations: readonly Violation[], at: string): Violation | undefined {
  const found = violations.find(({ path }) => path.startsWith(`${at}.`))
  if (!found) return undefined
  const field = found.path.slice(at.length + 1)
  const isUnavailable = field === 'product_id' && found.code === 'reference'
  return { ...found, path: field, code: isUnavailable ? 'product-unavailable' : found.code }
}

function lineInput(line: CartLine): LineInput {
  const { productId, recipient, selectedGameserverId, ...rest } = line
  return {
    ...rest,
    item: { kind: 'product', productId },
    trial: false,
    recipient: recipient ?? undefined,
    selectedGameserverId: selectedGameserverId ?? undefined,
    metadata: {},
    payoutSplits: [],
    cartKey: cartKey(line),
  }
}

/** Identifies what a line of a cart buys, whatever its quantity and place. */
export function cartKey({ quantity: _, customVariables, ...choice }: CartLine): string {
  const answers = Object.entries(customVariables).sort(([one], [other]) => (one < other ? -1 : 1))
  const { productId, subscription, recipient, selectedGameserverId } = choice
  // Without objects: Postgres changes the order of their fields.
  const text = JSON.stringify([productId, subscription, recipientParts(recipient), selectedGameserverId, answers])
  return createHash('sha256').update(text).digest('base64url').slice(0, 22)
}

function recipientParts(recipient: CartLine['recipient']): string[] {
  if (!recipient) return []
  return recipient.kind === 'customer' ? [recipient.customerId] : [recipient.account.platform, recipient.account.id]
}

const maxTextLength = 64 * 1024
const nothing: CartOrder = {
  promoCodes: [],
  affiliateCode: undefined,
  returnUrl: undefined,
  cancelUrl: undefined,
  autoRedirect: false,
  customerDetails: null,
  customerIp: undefined,
  customerCountry: undefined,
}
