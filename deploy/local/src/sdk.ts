import { relative } from 'node:path'
import { packSdk } from '../../../gateway/sdk/pack.ts'
import { generateSdk } from './codegen/generate-sdk.ts'
import { paths } from './paths.ts'
import { runCommand } from './run-command.ts'

/** `npm run sdk` builds the package of the SDK. */
await runCommand(async ({ progress }) => {
  await generateSdk(progress)
  const tarball = await progress.step('package of the SDK', () => packSdk(`${paths.root}dist`))
  console.log(`\n${relative(paths.root, tarball)}`)
  return 0
})
