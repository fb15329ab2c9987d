import { setImmediate } from 'node:timers/promises'
import { errors, type Violation } from '@storekeep/common/errors'
import { isFlakeId } from '@storekeep/common/flake'
import { type Call, requireStore } from '@storekeep/common/grpc'
import type { AppContext } from '../context.ts'
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
import type { CustomVariablesHandlers } from './index.ts'

export function resolveValues(ctx: AppContext): CustomVariablesHandlers['resolveValues'] {
  return async (request, call) => {
    const storeId = requireStore(call)
    const lines = request.lines.map(answersFromProto)
    checkSize(lines)
    const known = await findAsked(ctx, storeId, lines)
    const violations: Violation[] = []
    const resolved: ResolvedValue[][] = []
    for (const line of lines) {
      const { questions, violations: wrong } = readLine(line, known)
      violations.push(...wrong)
      const values: ResolvedValue[] = []
      for (const question of questions) {
        const result = await resolve(ctx, call, question)
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

/** Lets other calls have their turn before each match, and ends with the caller's patience. */
async function resolve(ctx: AppContext, call: Call, question: Question): Promise<ResolvedValue | Violation> {
  if (question.variable.valueRegex !== null) {
    await setImmediate()
    if (call.remainingMs() === 0) throw errors.unavailable(new Error('the deadline has passed'))
  }
  return resolveAnswer(question, ctx.patterns.get)
}
