import { runTool } from '../bootstrap/run-tool.mjs'
import { writeDependencyPage } from './audit/check-dependencies.ts'
import { writeGeneratedFiles } from './codegen/generated-files.ts'
import { runCommand } from './run-command.ts'

/** The committed files of `npm run codegen`; the bootstrap has already generated proto/gen. */
await runCommand(async ({ progress }) => {
  await progress.step('configuration from deploy/topology.ts', () => writeGeneratedFiles())
  await progress.step('docs/dependencies.md', () => writeDependencyPage())
  await progress.step('gateway/sdk/src/generated', () =>
    runTool([process.execPath, 'gateway/sdk/codegen/generate.ts'], 'Cannot generate the SDK.'),
  )
  return 0
})
