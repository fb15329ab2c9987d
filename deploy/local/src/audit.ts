import { checkLockFile, pnpm } from '../bootstrap/packages.mjs'
import { runTool } from '../bootstrap/run-tool.mjs'
import { checkLicenses } from './audit/licenses.ts'
import { runCommand } from './run-command.ts'

/** `npm run audit`: licenses, age and origin of the dependencies, then their known vulnerabilities. */
await runCommand(async ({ progress }) => {
  await progress.step('licenses', checkLicenses)
  await progress.step('age and origin of the versions', checkLockFile)
  // Also fails if the registry does not respond with advisories.
  await progress.step('known vulnerabilities', () =>
    runTool([pnpm, 'audit'], 'pnpm audit found known vulnerabilities, or did not run.', { keepLines: 200 }),
  )
  return 0
})
