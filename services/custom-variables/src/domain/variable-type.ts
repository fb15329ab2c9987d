import { type Violation, violation } from '@storekeep/common/errors'
import type { OptionDraft, VariableState } from './custom-variable.ts'

/**
 * The state that fits its type: only a dropdown has options, and it has no pattern. What the variable had from before
 * goes with the old type; what the request itself gives and the type cannot have is refused.
 *
 * @param state the variable with the members of the request
 * @param given the members of the request alone
 * @param knownIds of the options that the variable has
 */
export function fitToType(
  state: VariableState,
  given: Partial<VariableState>,
  knownIds: ReadonlySet<string>,
): { state: VariableState; violations: Violation[] } {
  if (state.type !== 'dropdown') {
    const violations = given.options?.length ? [violation('options', 'exclusive', 'are what only a dropdown has')] : []
    return { state: { ...state, options: [] }, violations }
  }
  const violations = [...optionsViolations(state, given), ...unknownIds(state.options, knownIds)]
  if (given.valueRegex != null) violations.push(violation('value_regex', 'exclusive', 'is what no dropdown has'))
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
