import { cp, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chart, runHelm } from './helm.ts'
import { type Scenario, valuesOf } from './values.ts'

/**
 * Evaluates expressions with the chart's helper templates, each with its own values, in one Helm process. Use this
 * instead of `render` where a test varies a value that a single helper uses: rendering the whole chart is slow.
 * `$root` is the root context.
 */
export async function evaluate(cases: readonly Case[]): Promise<unknown[]> {
  const folder = await mkdtemp(join(tmpdir(), 'chart-'))
  try {
    await copyHelpers(folder)
    await writeFile(
      join(folder, 'values.yaml'),
      JSON.stringify({ cases: cases.map(({ scenario = 'default', values }) => valuesOf(scenario, values)) }),
    )
    await writeFile(join(folder, 'templates/cases.yaml'), ['cases:', ...cases.map(lineOf)].join('\n'))
    const flags = ['--namespace', 'shops', '--kube-version', '1.36.0']
    const { code, stdout, stderr } = await runHelm('template', 'shop', folder, ...flags)
    if (code !== 0) throw new Error(stderr)
    return [...stdout.matchAll(/^- (.+)$/gm)].map(([, result = '']) => JSON.parse(result))
  } finally {
    await rm(folder, { recursive: true })
  }
}

function lineOf({ expression }: Case, index: number): string {
  return [
    `{{- $root := mustMergeOverwrite (dict "Values" (index $.Values.cases ${index})) (pick $ "Release" "Chart" "Files" "Capabilities" "Template") }}`,
    `- {{ ${expression} | toJson }}`,
  ].join('\n')
}

/** The chart without its schema and its objects. */
async function copyHelpers(folder: string): Promise<void> {
  await mkdir(join(folder, 'templates'))
  const helpers = (await readdir(join(chart, 'templates'))).filter((file) => file.endsWith('.tpl'))
  const files = ['Chart.yaml', 'files/services.yaml', 'files/nats.conf', ...helpers.map((file) => `templates/${file}`)]
  await Promise.all(files.map((file) => cp(join(chart, file), join(folder, file))))
}

export interface Case {
  scenario?: Scenario
  values?: object
  /** A template expression, such as `include "storekeep.fullname" $root`. */
  expression: string
}
