import { checkLockFile } from '../bootstrap/packages.mjs'
import { SetupError } from '../bootstrap/setup-error.mjs'
import { findAdvisories } from './audit/advisories.ts'
import { checkDependencies } from './audit/check-dependencies.ts'
import { runCommand } from './run-command.ts'

/** `npm run audit`: licences, hashes, age and origin of the dependencies, then their known vulnerabilities. */
await runCommand(async ({ progress }) => {
  await progress.step('licences and hashes', checkDependencies)
  await progress.step('age and origin of the versions', checkLockFile)
  await progress.step('known vulnerabilities', async () => {
    const found = await findAdvisories()
    if (found.length > 0) throw new SetupError(`${found.length} known vulnerabilities:`, found)
  })
  return 0
})
