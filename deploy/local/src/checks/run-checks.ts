import { SetupError } from '../../bootstrap/setup-error.mjs'
import type { Scope } from '../run-command.ts'
import type { Check } from './checks.ts'

/** Runs all checks, even after one has failed, and prints the problems below the line of the failed check. */
export async function runChecks(checks: readonly Check[], progress: Scope['progress']): Promise<Result> {
  const result: Result = { passed: 0, failures: [] }
  for (const check of checks) {
    try {
      const skipped = await progress.step(check.name, check.run)
      if (skipped === undefined) result.passed++
      else console.log(`    ${skipped}`)
    } catch (cause) {
      const message = cause instanceof Error ? cause.message : String(cause)
      result.failures.push({ name: check.name, message })
      console.log(`    ${message}`)
      if (cause instanceof SetupError) for (const line of cause.logLines) console.log(`    | ${line}`)
    }
  }
  return result
}

export interface Result {
  passed: number
  failures: Failure[]
}

export interface Failure {
  /** The check, or the file and title of the test. */
  name: string
  message: string
}
