import { errors, type Violation, violation } from '@storekeep/common/errors'
import { textViolations } from '@storekeep/common/values'
import type { CustomVariable, Option } from './custom-variable.ts'
import { maxAnswerLength, maxLines, maxVariablesPerLine } from './limits.ts'

/** A buyer's answers for one line of a checkout, unchecked. */
export interface LineAnswers {
  /** Dotted path of the answers in the buyer's request. */
  path: string
  /** Dotted path of the ids if they come from the buyer's request. Undefined for a product's ids. */
  idsPath: string | undefined
  variableIds: readonly string[]
  /** By identifier, case-sensitive. */
  values: Readonly<Record<string, string>>
}

/** A variable of a line, with the buyer's answer. */
export interface Question {
  variable: CustomVariable
  path: string
  answer: string | undefined
}

/** A valid answer. */
export interface ResolvedValue {
  variable: CustomVariable
  value: string
  /** The chosen option of a dropdown. */
  option: Option | undefined
}

/** @throws ServiceFault `validation-failed` when a checkout has too many lines, or a line too many variables */
export function checkSize(lines: readonly LineAnswers[]): void {
  const violations = lines
    .filter(({ variableIds }) => variableIds.length > maxVariablesPerLine)
    .map(({ path, idsPath }) =>
      violation(idsPath ?? path, 'length', `must have at most ${maxVariablesPerLine} variables`),
    )
  if (lines.length > maxLines) violations.push(violation('lines', 'length', `must have at most ${maxLines} items`))
  if (violations.length > 0) throw errors.validationFailed(violations)
}

/**
 * The questions of a line, each variable once and in the order of the ids, and violations for answers to other
 * variables and for unknown ids. Unknown ids of a product are ignored: their variables may have been deleted.
 * @param known the variables of the store by id
 */
export function readLine(
  { path, idsPath, variableIds, values }: LineAnswers,
  known: ReadonlyMap<string, CustomVariable>,
): { questions: Question[]; violations: Violation[] } {
  const questions: Question[] = []
  const violations: Violation[] = []
  for (const [index, id] of variableIds.entries()) {
    const variable = known.get(id)
    if (variable && !questions.some((question) => question.variable === variable)) {
      const { identifier } = variable
      const answer = Object.hasOwn(values, identifier) ? values[identifier] : undefined
      questions.push({ variable, path: `${path}.${identifier}`, answer })
    } else if (!variable && idsPath !== undefined) {
      violations.push(
        violation(`${idsPath}.${index}`, 'reference', 'must be the id of a custom variable of this store'),
      )
    }
  }
  const expected = new Set(questions.map(({ variable }) => variable.identifier))
  for (const identifier of Object.keys(values)) {
    if (expected.has(identifier)) continue
    // Cut to the length of an identifier; cutting may split a surrogate pair, which JSON cannot carry.
    const at = `${path}.${identifier.slice(0, 64).toWellFormed()}`
    violations.push(violation(at, 'reference', 'is not a custom variable of the product'))
  }
  return { questions, violations }
}

/**
 * Validates the answer to a question; without an answer, a dropdown takes its default option. Patterns are not matched
 * here.
 */
export function resolveAnswer({ variable, path, answer }: Question): ResolvedValue | Violation {
  if (variable.type === 'dropdown') return resolveChoice(variable, path, answer)
  if (answer === undefined) return violation(path, 'required', 'is required')
  const [invalid] = textViolations(path, answer, 1, maxAnswerLength)
  if (invalid) return invalid
  if (variable.type === 'number' && !decimal.test(answer)) {
    return violation(path, 'format', 'must be a decimal number such as 12 or -0.5')
  }
  return { variable, value: answer, option: undefined }
}

function resolveChoice(variable: CustomVariable, path: string, answer: string | undefined): ResolvedValue | Violation {
  const chosen = ({ value, isDefault }: Option) => (answer === undefined ? isDefault : value === answer)
  const option = variable.options.find(chosen)
  if (option) return { variable, value: option.value, option }
  return answer === undefined
    ? violation(path, 'required', 'is required')
    : violation(path, 'enum', 'must be the value of one of the options')
}

const decimal = /^-?\d{1,15}(\.\d{1,6})?$/
