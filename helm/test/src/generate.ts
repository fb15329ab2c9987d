import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { generatedFiles } from './generated-files.ts'
import { chart } from './helm.ts'

for (const [file, text] of await generatedFiles()) writeFileSync(join(chart, file), text)
