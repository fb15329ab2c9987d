import { errors, type Violation, violation } from '@storekeep/common/errors'
import { isFlakeId } from '@storekeep/common/flake'
import { requireStore } from '@storekeep/common/grpc'
import type { AppContext, CustomVariablesHandlers } from '../context.ts'
import { findCustomVariables } from '../db/custom-variable-repository.ts'
import {
  checkSize,
  type LineAnswers,
  type Question,
  type ResolvedValue,
  readLine,
  resolveAnswer,
} from '../domain/answers.ts'
import type { CustomVariable } from '../domain/custom-variable.ts'
import { answersFromProto, resolvedToProto } from '../mappers.ts'
import { createMatching, type Matching } from '../matching.ts'

export function resolveValues(ctx: AppContext): CustomVariablesHandlers['resolveValues'] {
  return async (request, call) => {
    const storeId = requireStore(call)
    const lines = request.lines.map(answersFromProto)
    checkSize(lines)
    const matching = createMatching(ctx, call, storeId)
    const known = await findAsked(ctx, storeId, lines)
    const violations: Violation[] = []
    const resolved: ResolvedValue[][] = []
    for (const line of lines) {
      const { questions, violations: wrong } = readLine(line, known)
      violations.push(...wrong)
      const values: ResolvedValue[] = []
      for (const question of questions) {
        const result = await resolve(question, matching)
        if ('variable' in result) values.push(result)
        else violations.push(result)
      }
      resolved.push(values)
    }
    if (violations.length > 0) throw errors.validationFailed(violations)
    return { lines: resolved.map((values) => ({ values: values.map(resolvedToProto) })) }
  }
}

/** What is no id cannot be that of a variable, and the database would refuse it. */
async function findAsked(
  { database }: AppContext,
  storeId: string,
  lines: readonly LineAnswers[],
): Promise<ReadonlyMap<string, CustomVariable>> {
  const ids = new Set(lines.flatMap(({ variableIds }) => variableIds).filter(isFlakeId))
  if (ids.size === 0) return new Map()
  const rows = await findCustomVariables(database, storeId, [...ids])
  return new Map(rows.map((row) => [row.id, row]))
}

/** The store's own pattern is no help to its buyers, and its length none to an error. */
async function resolve(question: Question, matching: Matching): Promise<ResolvedValue | Violation> {
  const result = resolveAnswer(question)
  if (!('variable' in result) || result.variable.valueRegex === null) return result
  const verdict = await matching(result.variable.valueRegex, result.value)
  if (verdict === 'differs') return violation(question.path, 'pattern', 'does not match the pattern of the variable')
  if (verdict === 'too long') return violation(question.path, 'length', 'is too long to be matched with the pattern')
  return result
}
