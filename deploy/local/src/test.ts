import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { checks } from './checks/checks.ts'
import { type Result, runChecks } from './checks/run-checks.ts'
import { expectTestFiles, runVitest } from './checks/run-vitest.ts'
import { paths } from './paths.ts'
import { runCommand } from './run-command.ts'
import { startInfra } from './system/infra.ts'
import { readSettings } from './system/settings.ts'
import { removeLeftovers } from './system/test-folders.ts'

await runCommand(async (scope) => {
  const args = process.argv.slice(2)
  const settings = readSettings(process.env)
  if (args.length > 0) await expectTestFiles(args)
  removeLeftovers(paths.test)
  const place = join(paths.test, String(process.pid))
  mkdirSync(place, { recursive: true })
  scope.onEnd(() => rmSync(place, { recursive: true, force: true }))

  const infra = await startInfra(scope, settings, { data: place, logs: place, fast: true })
  // With arguments only a part of the tests is wanted, and no checks.
  const results: Result[] = args.length > 0 ? [] : [await runChecks(checks, scope.progress)]
  results.push(await runVitest(args, infra, join(place, 'vitest.json')))
  const sum = (pick: (result: Result) => number) => results.reduce((total, result) => total + pick(result), 0)
  const [passed, failed] = [sum((result) => result.passed), sum((result) => result.failed)]
  scope.onEnd(() => console.log(`\n${passed} passed, ${failed} failed`))
  return failed === 0 ? 0 : 1
})
