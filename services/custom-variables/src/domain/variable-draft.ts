import { errors } from '@storekeep/common/errors'
import type { VariableState } from './custom-variable.ts'
import { fields, type VariableInput } from './variable-fields.ts'
import { fitToType } from './variable-type.ts'

/**
 * Validates a new variable.
 * @throws ServiceFault `validation-failed` naming every invalid field
 */
export function checkNewVariable(input: VariableInput): VariableState {
  const readings = Object.values(fields).map((read) => read(input))
  const violations = readings.flatMap((reading) => reading.violations)
  const given: Partial<VariableState> = Object.assign({}, ...readings.map(({ value }) => value))
  const { type } = given
  if (type !== undefined && !violations.some(({ path }) => path.startsWith('options'))) {
    const fitted = fitToType({ ...blank, ...given, type }, given, new Set())
    violations.push(...fitted.violations)
    if (violations.length === 0) return fitted.state
  }
  throw errors.validationFailed(violations)
}

const blank = { identifier: '', name: '', description: '', valueRegex: null, options: [] }
