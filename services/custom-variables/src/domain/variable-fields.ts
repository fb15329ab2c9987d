import { type Violation, violation } from '@storekeep/common/errors'
import { textViolations } from '@storekeep/common/values'
import { type VariableState, type VariableType, variableTypes } from './custom-variable.ts'
import { maxDescriptionLength, maxNameLength, maxPatternLength } from './limits.ts'
import { type OptionInput, readOptions } from './options.ts'

/** The fields of a request, unchecked. Undefined fields are unset. */
export interface VariableInput {
  identifier: string
  name: string
  description?: string | undefined
  /** "invalid" for a value that is not a variable type. */
  type: VariableType | 'invalid'
  valueRegex?: string | undefined
  /** Why `valueRegex` does not compile, see `isCompilable`. */
  patternProblem?: string | undefined
  options: readonly OptionInput[]
}

/** How each field of a variable is read: its value and its violations. */
export const fields: { [Path in FieldPath]: (input: VariableInput) => FieldReading } = {
  identifier: ({ identifier }) => ({ value: { identifier }, violations: identifierViolations(identifier) }),
  name: ({ name }) => ({ value: { name }, violations: textViolations('name', name, 1, maxNameLength) }),
  description: ({ description = '' }) => ({
    value: { description },
    violations: textViolations('description', description, 0, maxDescriptionLength),
  }),
  type: ({ type }) =>
    type === 'invalid'
      ? { value: {}, violations: [violation('type', 'enum', `must be one of ${variableTypes.join(', ')}`)] }
      : { value: { type }, violations: [] },
  value_regex: ({ valueRegex = null, patternProblem }) => ({
    value: { valueRegex },
    violations: patternViolations(valueRegex, patternProblem),
  }),
  options: ({ options }) => {
    const { options: value, violations } = readOptions(options)
    return { value: { options: value }, violations }
  },
}

/** Field names of the public interface. */
export type FieldPath = 'identifier' | 'name' | 'description' | 'type' | 'value_regex' | 'options'

interface FieldReading {
  value: Partial<VariableState>
  violations: Violation[]
}

/** True for a pattern that is worth compiling: its text is well-formed and not too long. */
export function isCompilable(valueRegex: string | undefined): valueRegex is string {
  return valueRegex !== undefined && patternViolations(valueRegex, undefined).length === 0
}

/** `__proto__` is excluded because JSON bodies drop a field of that name, so buyers could not answer it. */
function identifierViolations(identifier: string): Violation[] {
  if (/^(?!__proto__$)[A-Za-z0-9_-]{1,64}$/.test(identifier)) return []
  return [violation('identifier', 'pattern', 'must be 1 to 64 letters a to z, digits, "_" or "-", and not __proto__')]
}

function patternViolations(text: string | null, problem: string | undefined): Violation[] {
  if (text === null) return []
  const violations = textViolations('value_regex', text, 0, maxPatternLength)
  if (violations.length === 0 && problem !== undefined) violations.push(violation('value_regex', 'pattern', problem))
  return violations
}
