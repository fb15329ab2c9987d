import { errors, violation } from '../errors/index.ts'
import { isUniqueViolation } from './postgres-errors.ts'

/** What unique indexes of a table say to a caller. */
export interface UniqueRule {
  /** Name of each index, and the member of the request that it is about. */
  paths: Readonly<Record<string, string>>
  /** Message of the fault. */
  message: string
  /** Message of its violation: "is taken". */
  problem: string
}

/**
 * Turns the table's word that a value is taken into a `conflict` that names the member. The table decides it, also
 * between calls at the same time; a look beforehand could not.
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

/** The member whose value is taken, when that is what `error` says. */
export function takenPath({ paths }: UniqueRule, error: unknown): string | undefined {
  return Object.entries(paths).find(([index]) => isUniqueViolation(error, index))?.[1]
}
