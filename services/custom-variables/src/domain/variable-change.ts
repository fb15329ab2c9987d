import { isDeepStrictEqual } from 'node:util'
import { errors, type Violation } from '@storekeep/common/errors'
import type { CustomVariable, VariableState } from './custom-variable.ts'
import { type MemberPath, members, type VariableInput } from './variable-members.ts'
import { fitToType } from './variable-type.ts'

/** The members that a PATCH names, checked. */
export type VariableChange = Partial<VariableState>

/**
 * The change that a request asks for. Members outside the mask are not looked at; of those inside, `description` and
 * `value_regex` are cleared when they are absent.
 * @throws ServiceFault `validation-failed` naming every wrong member
 */
export function checkChange(input: VariableInput, mask: readonly string[]): VariableChange {
  const change: VariableChange = {}
  const violations: Violation[] = []
  for (const path of new Set(mask)) {
    if (!isMember(path)) throw errors.badRequest(`The field mask names "${path}", which cannot be changed.`)
    const reading = members[path](input)
    Object.assign(change, reading.read)
    violations.push(...reading.violations)
  }
  if (violations.length > 0) throw errors.validationFailed(violations)
  return change
}

/**
 * The variable after the change, undefined when that is no other than before.
 * @throws ServiceFault `validation-failed` when the change does not fit what the variable is
 */
export function applyChange(variable: CustomVariable, change: VariableChange): VariableState | undefined {
  const { identifier, name, description, type, valueRegex, options } = variable
  const before: VariableState = { identifier, name, description, type, valueRegex, options }
  const knownIds = new Set(options.map(({ id }) => id))
  const { state, violations } = fitToType({ ...before, ...change }, change, knownIds)
  if (violations.length > 0) throw errors.validationFailed(violations)
  return isDeepStrictEqual(state, before) ? undefined : state
}

function isMember(path: string): path is MemberPath {
  return Object.hasOwn(members, path)
}
