import { generateSdk } from './codegen/generate-sdk.ts'
import { writeGeneratedFiles } from './codegen/generated-files.ts'
import { runCommand } from './run-command.ts'

/** The other generated files of `npm run codegen`; the bootstrap has already generated proto/gen. */
await runCommand(async ({ progress }) => {
  await progress.step('configuration from deploy/topology.ts', () => writeGeneratedFiles())
  await generateSdk(progress)
  return 0
})
