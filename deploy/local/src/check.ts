import { checks } from './checks/checks.ts'
import { runChecks } from './checks/run-checks.ts'
import { runCommand } from './run-command.ts'

await runCommand(async ({ progress }) => {
  const { failures } = await runChecks(checks, progress)
  return failures.length === 0 ? 0 : 1
})
