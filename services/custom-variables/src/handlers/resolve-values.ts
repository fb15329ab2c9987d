import { errors, type Violation, violation } from '@storekeep/common/errors'
import { isFlakeId } from '@storekeep/common/flake'
import { type Call, requireStore } from '@storekeep/common/grpc'
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
import type { MatchResult, PatternPair } from '../steps/pattern-engine.ts'

export function resolveValues(ctx: AppContext): CustomVariablesHandlers['resolveValues'] {
  return async (request, call) => {
    const storeId = requireStore(call)
    const lines = request.lines.map(answersFromProto)
    checkSize(lines)
    const known = await findKnown(ctx, storeId, lines)
    const read = lines.map((line) => readLine(line, known))
    const matches = await matchPatterns(ctx, call, storeId, read)
    const violations: Violation[] = []
    const resolved: ResolvedValue[][] = []
    for (const { questions, violations: invalid } of read) {
      violations.push(...invalid)
      const values: ResolvedValue[] = []
      for (const question of questions) {
        const result = resolve(question, matches)
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

/** Matches all answers that have a pattern, each pair of pattern and answer once. */
async function matchPatterns(
  { patterns }: AppContext,
  call: Call,
  storeId: string,
  lines: readonly { questions: readonly Question[] }[],
): Promise<Matches> {
  const pairs = new Map<string, PatternPair>()
  for (const question of lines.flatMap(({ questions }) => questions)) {
    const pair = patternPair(resolveAnswer(question))
    if (pair) pairs.set(pairKey(pair), pair)
  }
  const matches = new Map<string, MatchResult>()
  for (const pair of await patterns.match({ storeId, signal: call.signal }, [...pairs.values()])) {
    if (pair.result === 'timeout') call.log.warn({ pattern: pair.pattern }, 'pattern match timed out')
    matches.set(pairKey(pair), pair.result)
  }
  return matches
}

/** The violation does not repeat the pattern: it is long, and of no use to a buyer. */
function resolve(question: Question, matches: Matches): ResolvedValue | Violation {
  const result = resolveAnswer(question)
  const pair = patternPair(result)
  const match = pair ? matches.get(pairKey(pair)) : 'match'
  if (match === 'match') return result
  if (match === 'timeout') return violation(question.path, 'length', 'is too long to match against the pattern')
  return violation(question.path, 'pattern', 'does not match the pattern of the variable')
}

function patternPair(result: ResolvedValue | Violation): PatternPair | undefined {
  if (!('variable' in result) || result.variable.valueRegex === null) return undefined
  return { pattern: result.variable.valueRegex, answer: result.value }
}

/** Neither text contains NUL. */
function pairKey({ pattern, answer }: PatternPair): string {
  return `${pattern}\0${answer}`
}

type Matches = ReadonlyMap<string, MatchResult>
