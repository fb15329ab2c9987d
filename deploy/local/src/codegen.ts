import { writeGeneratedFiles } from './codegen/generated-files.ts'
import { runCommand } from './run-command.ts'

/** The second half of `npm run codegen`: the committed files. The bootstrap generates proto/gen before. */
await runCommand(async () => {
  for (const path of writeGeneratedFiles()) console.log(`  ✓ ${path}`)
  return 0
})
