import { type Violation, violation } from '@storekeep/common/errors'
import { idViolations } from '@storekeep/common/flake'
import { textViolations } from '@storekeep/common/values'
import { type OptionDraft, type PriceType, priceTypes } from './custom-variable.ts'
import { maxOptionLength, maxOptions, priceRanges } from './limits.ts'

/** An option of a request, unchecked. */
export interface OptionInput extends Omit<OptionDraft, 'id' | 'price' | 'priceType'> {
  /** Undefined for a new option. */
  id?: string | undefined
  price: bigint
  /** "invalid" for a value that is not a price type. */
  priceType: PriceType | 'invalid'
}

/** Validates a list of options. Whether their ids exist is checked against the variable, see `fitToType`. */
export function readOptions(inputs: readonly OptionInput[]): { options: OptionDraft[]; violations: Violation[] } {
  if (inputs.length > maxOptions) {
    return { options: [], violations: [violation('options', 'length', `must have at most ${maxOptions} items`)] }
  }
  const violations = inputs.flatMap((input, index) => optionViolations(input, `options.${index}`))
  violations.push(...duplicates(inputs))
  return { options: violations.length > 0 ? [] : inputs.map(toDraft), violations }
}

function optionViolations({ id, name, value, price, priceType }: OptionInput, at: string): Violation[] {
  const violations = [
    ...textViolations(`${at}.name`, name, 1, maxOptionLength),
    ...textViolations(`${at}.value`, value, 1, maxOptionLength),
    ...idViolations(`${at}.id`, id),
  ]
  if (priceType === 'invalid') {
    violations.push(violation(`${at}.price_type`, 'enum', `must be one of ${priceTypes.join(', ')}`))
    return violations
  }
  const { min, max } = priceRanges[priceType]
  if (price < min) violations.push(violation(`${at}.price`, 'min', `must be at least ${min}`))
  if (price > max) violations.push(violation(`${at}.price`, 'max', `must be at most ${max}`))
  return violations
}

/** Ids, values and defaults that occur twice, reported at the later option. */
function duplicates(inputs: readonly OptionInput[]): Violation[] {
  const firstDefault = inputs.findIndex(({ isDefault }) => isDefault)
  return inputs.flatMap(({ id, value, isDefault }, index) => {
    const at = `options.${index}`
    const earlier = inputs.slice(0, index)
    const violations: Violation[] = []
    if (id !== undefined && earlier.some((other) => other.id === id)) {
      violations.push(violation(`${at}.id`, 'unique', 'is already used by another option of the list'))
    }
    if (earlier.some((other) => other.value === value)) {
      violations.push(violation(`${at}.value`, 'unique', 'is already used by another option'))
    }
    if (isDefault && index !== firstDefault) {
      violations.push(violation(`${at}.is_default`, 'exclusive', 'can be true for only one option'))
    }
    return violations
  })
}

function toDraft({ id, name, value, price, priceType, isDefault }: OptionInput): OptionDraft {
  // Validated above, so never "invalid".
  const type = priceType === 'percentage' ? priceType : 'fixed'
  return { id: id ?? null, name, value, price: Number(price), priceType: type, isDefault }
}
