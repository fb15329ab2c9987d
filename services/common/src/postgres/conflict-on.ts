import { errors, violation } from '../errors/index.ts'
import { isUniqueViolation } from './postgres-errors.ts'

/** Maps violations of unique indexes to public faults. */
export interface UniqueRule {
  /** The field path for each unique index, by the name of the index. */
  paths: Readonly<Record<string, string>>
  /** Message of the fault. */
  message: string
  /** Message of the violation: "is taken". */
  problem: string
}

/**
 * Turns a unique violation into a `conflict` fault that names the field. Relying on the index also covers concurrent calls,
 * which a check beforehand would not.
 * @throws ServiceFault `conflict`, or the original error
 */
export async function conflictOn<T>(rule: UniqueRule, work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    const path = takenPath(rule, error)
    if (path === undefined) throw error
    throw errors.conflict(rule.message, [violation(path, 'unique', rule.problem)])
  }
}

/** The path of the field whose value is taken; undefined if `error` is not a violation of one of the indexes. */
export function takenPath({ paths }: UniqueRule, error: unknown): string | undefined {
  return Object.entries(paths).find(([index]) => isUniqueViolation(error, index))?.[1]
}
