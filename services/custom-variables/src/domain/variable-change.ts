import { isDeepStrictEqual } from 'node:util'
import { errors, type Violation } from '@storekeep/common/errors'
import type { CustomVariable, VariableState } from './custom-variable.ts'
import { type FieldPath, fields, type VariableInput } from './variable-fields.ts'
import { fitToType } from './variable-type.ts'

/** The validated fields of a PATCH. */
export type VariableChange = Partial<VariableState>

/**
 * Validates the fields that the mask names and ignores the rest. `description` and `value_regex` are cleared when the
 * mask names them and the input does not have them.
 * @throws ServiceFault `bad-request` for a field that cannot be changed
 * @throws ServiceFault `validation-failed` naming every invalid field
 */
export function checkChange(input: VariableInput, mask: readonly string[]): VariableChange {
  const change: VariableChange = {}
  const violations: Violation[] = []
  for (const path of new Set(mask)) {
    if (!isField(path)) throw errors.badRequest(`The field mask names "${path}", which cannot be changed.`)
    const reading = fields[path](input)
    Object.assign(change, reading.value)
    violations.push(...reading.violations)
  }
  if (violations.length > 0) throw errors.validationFailed(violations)
  return change
}

/**
 * The variable after the change; undefined if nothing changes.
 * @throws ServiceFault `validation-failed` when the change does not fit the type of the variable
 */
export function applyChange(variable: CustomVariable, change: VariableChange): VariableState | undefined {
  const { identifier, name, description, type, valueRegex, options } = variable
  const before: VariableState = { identifier, name, description, type, valueRegex, options }
  const knownIds = new Set(options.map(({ id }) => id))
  const { state, violations } = fitToType({ ...before, ...change }, change, knownIds)
  if (violations.length > 0) throw errors.validationFailed(violations)
  return isDeepStrictEqual(state, before) ? undefined : state
}

function isField(path: string): path is FieldPath {
  return Object.hasOwn(fields, path)
}
