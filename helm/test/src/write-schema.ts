import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { withKubernetesTypes } from './chart-schema.ts'
import { chart } from './helm.ts'

const file = join(chart, 'values.schema.json')
const schema = await withKubernetesTypes(JSON.parse(readFileSync(file, 'utf8')))
writeFileSync(file, `${JSON.stringify(schema, null, 2)}\n`)
