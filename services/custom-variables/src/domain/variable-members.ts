import { type Violation, violation } from '@storekeep/common/errors'
import { textViolations } from '@storekeep/common/values'
import { type VariableState, type VariableType, variableTypes } from './custom-variable.ts'
import { maxDescriptionLength, maxNameLength, maxPatternLength } from './limits.ts'
import { type OptionInput, readOptions } from './option-list.ts'
import { compilePattern } from './pattern.ts'

/** What a caller may say of a variable; nothing in it has been checked. An absent member is unset. */
export interface VariableInput {
  identifier: string
  name: string
  description?: string | undefined
  /** "invalid" when it is none that a variable can have. */
  type: VariableType | 'invalid'
  valueRegex?: string | undefined
  options: readonly OptionInput[]
}

/** The members of a variable, each with how it is read: its value, and what is wrong with it. */
export const members: { [Path in MemberPath]: (input: VariableInput) => Reading } = {
  identifier: ({ identifier }) => ({ read: { identifier }, violations: identifierViolations(identifier) }),
  name: ({ name }) => ({ read: { name }, violations: textViolations('name', name, 1, maxNameLength) }),
  description: ({ description = '' }) => ({
    read: { description },
    violations: textViolations('description', description, 0, maxDescriptionLength),
  }),
  type: ({ type }) =>
    type === 'invalid'
      ? { read: {}, violations: [violation('type', 'enum', `must be one of ${variableTypes.join(', ')}`)] }
      : { read: { type }, violations: [] },
  value_regex: ({ valueRegex = null }) => ({ read: { valueRegex }, violations: patternViolations(valueRegex) }),
  options: ({ options }) => {
    const { options: read, violations } = readOptions(options)
    return { read: { options: read }, violations }
  },
}

/** As the public interface calls them. */
export type MemberPath = 'identifier' | 'name' | 'description' | 'type' | 'value_regex' | 'options'

interface Reading {
  read: Partial<VariableState>
  violations: Violation[]
}

/** No body of JSON may have a member of the name that is left out, so nobody could answer it. */
function identifierViolations(identifier: string): Violation[] {
  if (/^(?!__proto__$)[A-Za-z0-9_-]{1,64}$/.test(identifier)) return []
  return [violation('identifier', 'pattern', 'must be 1 to 64 letters a to z, digits, "_" or "-", and not __proto__')]
}

function patternViolations(text: string | null): Violation[] {
  if (text === null) return []
  const violations = textViolations('value_regex', text, 0, maxPatternLength)
  if (violations.length > 0) return violations
  const { problem } = compilePattern(text)
  return problem === undefined ? [] : [violation('value_regex', 'pattern', problem)]
}
