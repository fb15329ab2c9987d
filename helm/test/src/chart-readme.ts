import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { chart } from './helm.ts'
import { describeValues } from './readme.ts'

/** The chart's README with the reference of its current values. */
export function withReference(readme: string): string {
  const start = readme.indexOf(heading)
  if (start < 0) throw new Error(`The README has no "${heading.trim()}".`)
  return `${readme.slice(0, start)}${heading}\n${describeValues(readFileSync(join(chart, 'values.yaml'), 'utf8'))}\n`
}

const heading = '## Values\n'
