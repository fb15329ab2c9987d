import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { withReference } from './chart-readme.ts'
import { chart } from './helm.ts'

const file = join(chart, 'README.md')
writeFileSync(file, withReference(readFileSync(file, 'utf8')))
