import { errors, type Violation, violation } from '@storekeep/common/errors'
import { isFlakeId } from '@storekeep/common/flake'
import { type Call, requireStore } from '@storekeep/common/grpc'
import type { MatchResult } from '../adapters/pattern-engine.ts'
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

export function resolveValues(ctx: AppContext): CustomVariablesHandlers['resolveValues'] {
  return async (request, call) => {
    const storeId = requireStore(call)
    const lines = request.lines.map(answersFromProto)
    checkSize(lines)
    const match = createMatcher(ctx, call, storeId)
    const known = await findKnown(ctx, storeId, lines)
    const violations: Violation[] = []
    const resolved: ResolvedValue[][] = []
    for (const line of lines) {
      const { questions, violations: invalid } = readLine(line, known)
      violations.push(...invalid)
      const values: ResolvedValue[] = []
      for (const question of questions) {
        const result = await resolve(question, match)
        if ('variable' in result) values.push(result)
        else violations.push(result)
      }
      resolved.push(values)
    }
    if (violations.length > 0) throw errors.validationFailed(violations)
    return { lines: resolved.map((values) => ({ values: values.map(resolvedToProto) })) }
  }
}

/** The variables of the lines by id. Malformed ids are left out, since the database would reject them. */
async function findKnown(
  { database }: AppContext,
  storeId: string,
  lines: readonly LineAnswers[],
): Promise<ReadonlyMap<string, CustomVariable>> {
  const ids = new Set(lines.flatMap(({ variableIds }) => variableIds).filter(isFlakeId))
  if (ids.size === 0) return new Map()
  const rows = await findCustomVariables(database, storeId, [...ids])
  return new Map(rows.map((row) => [row.id, row]))
}

/** The violation does not repeat the pattern: it is long, and of no use to a buyer. */
async function resolve(question: Question, match: Matcher): Promise<ResolvedValue | Violation> {
  const result = resolveAnswer(question)
  if (!('variable' in result) || result.variable.valueRegex === null) return result
  const verdict = await match(result.variable.valueRegex, result.value)
  if (verdict === 'mismatch') return violation(question.path, 'pattern', 'does not match the pattern of the variable')
  if (verdict === 'timeout') return violation(question.path, 'length', 'is too long to match against the pattern')
  return result
}

/** Matches each pair of pattern and answer once per call. Neither text contains NUL. */
function createMatcher({ patterns }: AppContext, call: Call, storeId: string): Matcher {
  const results = new Map<string, MatchResult>()
  return async (pattern, answer) => {
    const pair = `${pattern}\0${answer}`
    const known = results.get(pair)
    if (known !== undefined) return known
    const result = await patterns.match({ storeId, signal: call.signal }, pattern, answer)
    if (result === 'timeout') call.log.warn({ pattern }, 'pattern match stopped at its limit')
    results.set(pair, result)
    return result
  }
}

type Matcher = (pattern: string, answer: string) => Promise<MatchResult>
