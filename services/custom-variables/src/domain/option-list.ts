import { type Violation, violation } from '@storekeep/common/errors'
import { isFlakeId } from '@storekeep/common/flake'
import { textViolations } from '@storekeep/common/values'
import { type OptionDraft, type PriceType, priceTypes } from './custom-variable.ts'
import { maxOptionLength, maxOptions, priceRanges } from './limits.ts'

/** An option as a caller gives it; nothing in it has been checked. */
export interface OptionInput extends Omit<OptionDraft, 'id' | 'price' | 'priceType'> {
  /** Absent for a new one. */
  id?: string | undefined
  price: bigint
  /** "invalid" when it is none that an option can have. */
  priceType: PriceType | 'invalid'
}

/** The options, or all that is wrong with them. Whether the ids are known, only the variable can tell. */
export function readOptions(inputs: readonly OptionInput[]): { options: OptionDraft[]; violations: Violation[] } {
  if (inputs.length > maxOptions) {
    return { options: [], violations: [violation('options', 'length', `must have at most ${maxOptions} items`)] }
  }
  const violations = inputs.flatMap((input, index) => optionViolations(input, `options.${index}`))
  violations.push(...repetitions(inputs))
  return { options: violations.length > 0 ? [] : inputs.map(toDraft), violations }
}

function optionViolations({ id, name, value, price, priceType }: OptionInput, at: string): Violation[] {
  const violations = [
    ...textViolations(`${at}.name`, name, 1, maxOptionLength),
    ...textViolations(`${at}.value`, value, 1, maxOptionLength),
  ]
  if (id !== undefined && !isFlakeId(id)) violations.push(violation(`${at}.id`, 'format', 'must be an id'))
  if (priceType === 'invalid') {
    violations.push(violation(`${at}.price_type`, 'enum', `must be one of ${priceTypes.join(', ')}`))
    return violations
  }
  const { min, max } = priceRanges[priceType]
  if (price < min) violations.push(violation(`${at}.price`, 'min', `must be at least ${min}`))
  if (price > max) violations.push(violation(`${at}.price`, 'max', `must be at most ${max}`))
  return violations
}

/** What may be there once and is there again: at the later place. */
function repetitions(inputs: readonly OptionInput[]): Violation[] {
  const firstDefault = inputs.findIndex(({ isDefault }) => isDefault)
  return inputs.flatMap(({ id, value, isDefault }, index) => {
    const at = `options.${index}`
    const before = inputs.slice(0, index)
    const violations: Violation[] = []
    if (id !== undefined && before.some((other) => other.id === id)) {
      violations.push(violation(`${at}.id`, 'unique', 'names an option of this list again'))
    }
    if (before.some((other) => other.value === value)) {
      violations.push(violation(`${at}.value`, 'unique', 'is the value of another option'))
    }
    if (isDefault && index !== firstDefault) {
      violations.push(violation(`${at}.is_default`, 'exclusive', 'can be true for one option only'))
    }
    return violations
  })
}

function toDraft({ id, name, value, price, priceType, isDefault }: OptionInput): OptionDraft {
  // Checked before; what is "invalid" never gets here.
  const type = priceType === 'percentage' ? priceType : 'fixed'
  return { id: id ?? null, name, value, price: Number(price), priceType: type, isDefault }
}
