import { SetupError } from '../../bootstrap/setup-error.mjs'
import type { Scope } from '../run-command.ts'
import type { Check } from './checks.ts'

/** Runs all checks, even after one has failed, and prints the problems below the line of the failed check. */
export async function runChecks(checks: readonly Check[], progress: Scope['progress']): Promise<Result> {
  const result = { passed: 0, failed: 0 }
  for (const check of checks) {
    try {
      const skipped = await progress.step(check.name, check.run)
      if (skipped === undefined) result.passed++
      else console.log(`    ${skipped}`)
    } catch (cause) {
      result.failed++
      console.log(`    ${cause instanceof Error ? cause.message : String(cause)}`)
      if (cause instanceof SetupError) for (const line of cause.logLines) console.log(`    | ${line}`)
    }
  }
  return result
}

export interface Result {
  passed: number
  failed: number
}
