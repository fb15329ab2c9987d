import { checks } from './checks/checks.ts'
import { runChecks } from './checks/run-checks.ts'
import { runCommand } from './run-command.ts'

await runCommand(async ({ progress }) => {
  const { failed } = await runChecks(checks, progress)
  return failed === 0 ? 0 : 1
})
