import { errors, type Violation, violation } from '@storekeep/common/errors'
import { isFlakeId } from '@storekeep/common/flake'
import { metadataViolations, textViolations, webAddressViolation } from '@storekeep/common/values'
import { parseIpAddress } from '@storekeep/proto/conventions/ip-address'
import { checkoutLimits } from '@storekeep/proto/conventions/limits'
import type { ProductTerms } from '../../products/domain/product.ts'
import { type TermsInput, termsViolations, toTerms } from '../../products/domain/product-terms.ts'
import type { CheckoutInput, LineInput } from './checkout-input.ts'
import { detailsViolations } from './customer-details.ts'
import { splitViolations } from './payout-splits.ts'

/** An order whose fields are valid on their own; references are not checked yet. */
export interface CheckoutDraft extends Omit<CheckoutInput, 'lines'> {
  lines: readonly DraftLine[]
}

export interface DraftLine extends Omit<LineInput, 'item'> {
  item: { kind: 'product'; productId: string } | { kind: 'inline'; terms: ProductTerms }
}

/** @throws ServiceFault `validation-failed` naming every invalid field */
export function checkDraft(input: CheckoutInput): CheckoutDraft {
  const violations = draftViolations(input)
  if (violations.length > 0) throw errors.validationFailed(violations)
  const { affiliateCode } = input
  return {
    ...input,
    // Malformed affiliate codes are ignored, like all unusable ones.
    affiliateCode: codeViolations('affiliate_code', affiliateCode ?? '').length === 0 ? affiliateCode : undefined,
    lines: input.lines.flatMap(({ item, ...line }): DraftLine[] => {
      if (!item) return []
      return [{ ...line, item: item.kind === 'inline' ? { kind: 'inline', terms: toTerms(item.terms) } : item }]
    }),
  }
}

/** Whether the order names a coupon or an affiliate link. */
export function hasCodes({
  couponId,
  promoCodes,
  affiliateCode,
}: Pick<CheckoutInput, 'couponId' | 'promoCodes' | 'affiliateCode'>): boolean {
  return couponId !== undefined || promoCodes.length > 0 || affiliateCode !== undefined
}

/** Whether an account receives a line, whose customer is found or created late. */
export function namesAccounts({ lines }: Pick<CheckoutDraft, 'lines'>): boolean {
  return lines.some(({ recipient }) => recipient?.kind === 'account')
}

function draftViolations(input: CheckoutInput): Violation[] {
  const { customerId, couponId, returnUrl, cancelUrl, customerIp } = input
  const needsReturnUrl = input.autoRedirect && returnUrl === undefined
  return [
    idViolation(customerId, 'customer_id'),
    ...linesViolations(input.lines),
    couponId === undefined ? undefined : idViolation(couponId, 'coupon_id'),
    ...codesViolations(input.promoCodes),
    webAddressViolation('return_url', returnUrl),
    needsReturnUrl ? violation('return_url', 'required', 'is required with auto_redirect') : undefined,
    webAddressViolation('cancel_url', cancelUrl),
    ...metadataViolations(input.metadata, 'metadata'),
    ...(input.customerDetails ? detailsViolations(input.customerDetails, 'customer_details') : []),
    customerIp !== undefined && parseIpAddress(customerIp) === undefined
      ? violation('customer_ip', 'format', 'must be an IPv4 or IPv6 address')
      : undefined,
  ].filter((one) => one !== undefined)
}

function linesViolations(lines: readonly LineInput[]): Violation[] {
  if (lines.length < 1 || lines.length > checkoutLimits.lines) {
    return [violation('lines', 'length', `must have 1 to ${checkoutLimits.lines} items`)]
  }
  return lines.flatMap((line, index) => lineViolations(line, `lines.${index}`))
}

function lineViolations(line: LineInput, at: string): Violation[] {
  const { quantity, recipient, selectedGameserverId } = line
  return [
    quantity < 1 ? violation(`${at}.quantity`, 'min', 'must be at least 1') : undefined,
    quantity > checkoutLimits.quantity
      ? violation(`${at}.quantity`, 'max', `must be at most ${checkoutLimits.quantity}`)
      : undefined,
    ...itemViolations(line.item, at),
    line.trial && !line.subscription ? violation(`${at}.trial`, 'exclusive', 'requires a subscription') : undefined,
    ...(recipient ? recipientViolations(recipient, at, line.subscription) : []),
    selectedGameserverId === undefined ? undefined : idViolation(selectedGameserverId, `${at}.selected_gameserver_id`),
    ...metadataViolations(line.metadata, `${at}.metadata`),
    ...splitViolations(line.payoutSplits, `${at}.payout_splits`),
  ].filter((one) => one !== undefined)
}

function itemViolations(item: LineInput['item'], at: string): Violation[] {
  if (item?.kind === 'inline') {
    const path = `${at}.inline_product`
    return [...termsViolations(item.terms, path), ...inlineStockViolations(item.terms, path)]
  }
  const wrong = item
    ? idViolation(item.productId, `${at}.product_id`)
    : violation(`${at}.product_id`, 'required', 'is required unless inline_product is given')
  return wrong ? [wrong] : []
}

/** The units of a product without an id cannot be counted over several sessions. */
function inlineStockViolations({ storeStockLimit, customerStockLimit }: TermsInput, at: string): Violation[] {
  const wrong = (field: string) =>
    violation(`${at}.${field}.enabled`, 'exclusive', 'must be false for an inline product')
  return [
    ...(storeStockLimit?.enabled ? [wrong('store_stock_limit')] : []),
    ...(customerStockLimit?.enabled ? [wrong('customer_stock_limit')] : []),
  ]
}

/** The path of the recipient of a line. */
export function recipientPath(recipient: NonNullable<LineInput['recipient']>, at: string): string {
  return recipient.kind === 'account' ? `${at}.gift_to` : `${at}.gift_to_customer_id`
}

function recipientViolations(recipient: NonNullable<LineInput['recipient']>, at: string, subscription: boolean) {
  const path = recipientPath(recipient, at)
  const found = subscription ? [violation(path, 'exclusive', 'must be absent for a subscription')] : []
  const fields =
    recipient.kind === 'customer'
      ? [idViolation(recipient.customerId, path)]
      : [
          ...textViolations(`${path}.platform`, recipient.account.platform, 1, checkoutLimits.giftIdLength),
          ...textViolations(`${path}.id`, recipient.account.id, 1, checkoutLimits.giftIdLength),
        ]
  return found.concat(fields.filter((one) => one !== undefined))
}

function codesViolations(codes: readonly string[]): Violation[] {
  if (codes.length > checkoutLimits.promoCodes)
    return [violation('promo_codes', 'length', `must have at most ${checkoutLimits.promoCodes} items`)]
  return codes.flatMap((code, index) => codeViolations(`promo_codes.${index}`, code))
}

/** Why the text cannot be the code of a coupon or an affiliate link. */
export function codeViolations(path: string, text: string): Violation[] {
  return textViolations(path, text.trim(), 1, 64)
}

function idViolation(id: string, at: string): Violation | undefined {
  if (id === '') return violation(at, 'required', 'is required')
  return isFlakeId(id) ? undefined : violation(at, 'format', 'must be an id')
}
