import { errors, type Violation, violation } from '@storekeep/common/errors'
import { textViolations } from '@storekeep/common/values'
import type { CustomVariable, Option } from './custom-variable.ts'
import { maxLines, maxResponseLength, maxVariablesPerLine } from './limits.ts'

/** What a buyer answered for one line of a checkout; nothing in it has been checked. */
export interface LineAnswers {
  /** Dotted path of the answers in the buyer's request. */
  path: string
  /** Dotted path of the list of ids, when it is the buyer's own; a product's may still name what was deleted. */
  idsPath: string | undefined
  /** The variables that the line asks for. */
  variableIds: readonly string[]
  /** By identifier, in exactly its case. */
  values: Readonly<Record<string, string>>
}

/** A variable that a line asks for, with what the buyer answered. */
export interface Question {
  variable: CustomVariable
  path: string
  answer: string | undefined
}

/** An answer that is one. */
export interface ResolvedValue {
  variable: CustomVariable
  value: string
  /** Of a dropdown: what was chosen. */
  option: Option | undefined
}

/** @throws ServiceFault `validation-failed` when one checkout asks for more than is sensible */
export function checkSize(lines: readonly LineAnswers[]): void {
  const violations = lines
    .filter(({ variableIds }) => variableIds.length > maxVariablesPerLine)
    .map(({ path, idsPath }) =>
      violation(idsPath ?? path, 'length', `must ask for at most ${maxVariablesPerLine} variables`),
    )
  if (lines.length > maxLines) violations.push(violation('lines', 'length', `must have at most ${maxLines} items`))
  if (violations.length > 0) throw errors.validationFailed(violations)
}

/**
 * What a line asks, each variable once and in the order of its ids, and the ids and answers that lead nowhere.
 * @param known the variables of the store by their ids
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
      violations.push(violation(`${idsPath}.${index}`, 'reference', 'must be the id of a custom variable of the store'))
    }
  }
  const asked = new Set(questions.map(({ variable }) => variable.identifier))
  for (const identifier of Object.keys(values)) {
    if (asked.has(identifier)) continue
    // Longer than any identifier, it is no help in full either. Half a character could not be sent back.
    const at = `${path}.${identifier.slice(0, 64).toWellFormed()}`
    violations.push(violation(at, 'reference', 'is not a custom variable of the product'))
  }
  return { questions, violations }
}

/** The answer to a question, that of the default option included, or what is wrong with it; not whether it matches. */
export function resolveAnswer({ variable, path, answer }: Question): ResolvedValue | Violation {
  if (variable.type === 'dropdown') return resolveChoice(variable, path, answer)
  if (answer === undefined) return violation(path, 'required', 'is required')
  const [wrong] = textViolations(path, answer, 1, maxResponseLength)
  if (wrong) return wrong
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
