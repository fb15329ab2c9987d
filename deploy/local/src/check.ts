import { checks } from './checks/checks.ts'
import { runChecks } from './checks/run-checks.ts'
import { generateSdk } from './codegen/generate-sdk.ts'
import { runCommand } from './run-command.ts'

await runCommand(async ({ progress }) => {
  await generateSdk(progress)
  const { failures } = await runChecks(checks, progress)
  return failures.length === 0 ? 0 : 1
})
