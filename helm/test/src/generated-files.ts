import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { currentSchema } from './chart-schema.ts'
import { chart } from './helm.ts'
import { describeValues } from './values-reference.ts'

/** Paths in the chart of all files that are generated, in whole or in part, with their current content. */
export async function generatedFiles(): Promise<ReadonlyMap<string, string>> {
  return new Map([
    ['README.md', withReference(read('README.md'))],
    ['values.schema.json', `${JSON.stringify(await currentSchema(JSON.parse(read('values.schema.json'))), null, 2)}\n`],
    ...observabilityFiles(),
  ])
}

/** Whether a file of the chart has this content. JSON files are formatted after they are generated. */
export function isCurrent(file: string, text: string): boolean {
  if (!existsSync(join(chart, file))) return false
  const current = read(file)
  return file.endsWith('.json') ? compact(current) === compact(text) : current === text
}

function compact(json: string): string {
  return JSON.stringify(JSON.parse(json))
}

/** The chart's README with the reference of its current values. */
function withReference(readme: string): string {
  const start = readme.indexOf(heading)
  if (start < 0) throw new Error(`The README has no "${heading.trim()}".`)
  return `${readme.slice(0, start)}${heading}\n${describeValues(read('values.yaml'))}\n`
}

const heading = '## Values\n'

/** Helm packages only files below the chart, so the chart needs a copy of the alerts and dashboards. */
function observabilityFiles(): [path: string, text: string][] {
  const dashboards = readdirSync(join(source, 'dashboards')).map((name) => `dashboards/${name}`)
  return [
    ['files/observability/README.md', notice],
    ...['alerts.yaml', ...dashboards].map((file): [path: string, text: string] => [
      `files/observability/${file}`,
      readFileSync(join(source, file), 'utf8'),
    ]),
  ]
}

const source = fileURLToPath(new URL('../../../deploy/observability', import.meta.url))

const notice = `Generated from deploy/observability. Do not edit: change the files there and run \`npm run codegen\`.
`

function read(file: string): string {
  return readFileSync(join(chart, file), 'utf8')
}
