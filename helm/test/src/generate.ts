import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { generatedFiles, isCurrent } from './generated-files.ts'
import { chart } from './helm.ts'

// Part of `npm run codegen`.
for (const [file, text] of await generatedFiles()) {
  if (!isCurrent(file, text)) writeFileSync(join(chart, file), text)
}
