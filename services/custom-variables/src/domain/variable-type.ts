import { type Violation, violation } from '@storekeep/common/errors'
import type { OptionDraft, VariableState } from './custom-variable.ts'

/**
 * Fits a state to its type: only dropdowns have options, and only the other types have a pattern. Options or a pattern
 * left over from the old type are dropped; if the request itself gives them, they are violations.
 *
 * @param state the variable with the fields of the request applied
 * @param given the fields of the request alone
 * @param knownIds ids of the options that the variable has
 */
export function fitToType(
  state: VariableState,
  given: Partial<VariableState>,
  knownIds: ReadonlySet<string>,
): { state: VariableState; violations: Violation[] } {
  if (state.type !== 'dropdown') {
    const violations = given.options?.length ? [violation('options', 'exclusive', 'can only be set on a dropdown')] : []
    return { state: { ...state, options: [] }, violations }
  }
  const violations = [...optionsViolations(state, given), ...unknownIds(state.options, knownIds)]
  if (given.valueRegex != null) {
    violations.push(violation('value_regex', 'exclusive', 'cannot be set on a dropdown'))
  }
  return { state: { ...state, valueRegex: null }, violations }
}

function optionsViolations({ options }: VariableState, given: Partial<VariableState>): Violation[] {
  if (options.length > 0) return []
  return given.options
    ? [violation('options', 'length', 'must have at least 1 item')]
    : [violation('options', 'required', 'is required for a dropdown')]
}

function unknownIds(options: readonly OptionDraft[], known: ReadonlySet<string>): Violation[] {
  return options.flatMap(({ id }, index) =>
    id === null || known.has(id)
      ? []
      : [violation(`options.${index}.id`, 'reference', 'must be the id of an option of this variable')],
  )
}
