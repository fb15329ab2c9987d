import { errors, type Violation, violation } from '@storekeep/common/errors'
import { maxJsonInteger, textViolations } from '@storekeep/common/values'
import { affiliateLinkLimits } from '@storekeep/proto/conventions/limits'
import {
  type AffiliateLinkState,
  type AmountType,
  amountTypes,
  type CommissionAmountStep,
  maxCommissionSteps,
  type RefererType,
  refererTypes,
} from './affiliate-link.ts'

/** An affiliate link as requested, not validated. */
export type AffiliateLinkInput = Omit<AffiliateLinkState, 'refererType' | 'discountType' | 'commissionType'> & {
  /** "invalid" if it is unknown; the other types likewise. */
  refererType: RefererType | 'invalid'
  discountType: AmountType | 'invalid'
  commissionType: AmountType | 'invalid'
}

/**
 * Validates the terms of an affiliate link as a whole, new or changed.
 * @throws ServiceFault `validation-failed` naming every invalid field
 */
export function checkAffiliateLink(input: AffiliateLinkInput): AffiliateLinkState {
  const { refererType, discountType, commissionType } = input
  const violations = [
    ...textViolations('wallet_id', input.walletId, 1, affiliateLinkLimits.walletIdLength),
    ...codeViolations(input.code),
    ...enumViolations('referer_type', refererType, refererTypes),
    ...trackingViolations(input.trackingLengthDays),
    ...enumViolations('discount_type', discountType, amountTypes),
    ...amountViolations('discount_amount', 'discount_type', discountType, input.discountAmount),
    ...enumViolations('commission_type', commissionType, amountTypes),
    ...amountViolations('commission_amount', 'commission_type', commissionType, input.commissionAmount),
    ...stepViolations(commissionType, input.commissionAmountSteps),
  ]
  if (
    refererType === 'invalid' ||
    discountType === 'invalid' ||
    commissionType === 'invalid' ||
    violations.length > 0
  ) {
    throw errors.validationFailed(violations)
  }
  return { ...input, refererType, discountType, commissionType }
}

const codePattern = /^[A-Za-z0-9_-]{1,64}$/
const permilleOfAll = 1000n

function codeViolations(code: string): Violation[] {
  return codePattern.test(code) ? [] : [violation('code', 'pattern', 'must be 1 to 64 letters, digits, _ and -')]
}

function trackingViolations(days: number): Violation[] {
  if (days < 0) return [violation('tracking_length_days', 'min', 'must be at least 0')]
  return days > affiliateLinkLimits.trackingDays
    ? [violation('tracking_length_days', 'max', `must be at most ${affiliateLinkLimits.trackingDays}`)]
    : []
}

function enumViolations(path: string, value: string, known: readonly string[]): Violation[] {
  return known.includes(value) ? [] : [violation(path, 'enum', `must be one of ${known.join(', ')}`)]
}

/** If the type is invalid, the amount is only checked for being negative. */
function amountViolations(path: string, typePath: string, type: AmountType | 'invalid', amount: bigint): Violation[] {
  if (amount < 0n) return [violation(path, 'min', 'must be at least 0')]
  if (amount <= largest[type]) return []
  if (type === 'none') return [violation(path, 'max', `must be 0 because ${typePath} is none`)]
  const whole = type === 'percentage' ? ', which is 100 %' : ''
  return [violation(path, 'max', `must be at most ${largest[type]}${whole}`)]
}

const largest: Record<AmountType | 'invalid', bigint> = {
  none: 0n,
  fixed: maxJsonInteger,
  percentage: permilleOfAll,
  invalid: maxJsonInteger,
}

function stepViolations(type: AmountType | 'invalid', steps: readonly CommissionAmountStep[]): Violation[] {
  const path = 'commission_amount_steps'
  if (steps.length > maxCommissionSteps) {
    return [violation(path, 'length', `must have at most ${maxCommissionSteps} items`)]
  }
  const seen = new Set<number>()
  return steps.flatMap(({ billingCycleSequence, commissionAmount }, index) => {
    const isRepeated = seen.has(billingCycleSequence)
    seen.add(billingCycleSequence)
    return [
      ...sequenceViolations(`${path}.${index}.billing_cycle_sequence`, billingCycleSequence, isRepeated),
      ...amountViolations(`${path}.${index}.commission_amount`, 'commission_type', type, commissionAmount),
    ]
  })
}

function sequenceViolations(path: string, sequence: number, isRepeated: boolean): Violation[] {
  if (sequence < 1) return [violation(path, 'min', 'must be at least 1')]
  return isRepeated ? [violation(path, 'unique', 'occurs in an earlier step')] : []
}
