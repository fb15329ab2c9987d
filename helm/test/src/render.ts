import { writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CORE_SCHEMA, loadAll } from 'js-yaml'
import { chart, runHelm } from './helm.ts'
import type { KubernetesObject } from './kubernetes-object.ts'
import { Manifest } from './manifest.ts'

/** The files below ci/, each a way to install the chart. */
export const scenarios = ['default', 'external', 'bundled', 'ha', 'minimal'] as const
export type Scenario = (typeof scenarios)[number]

/** Everything that the chart makes with the values of a scenario and some more. Hooks are among it. The same is rendered once. */
export function render(scenario: Scenario, values: object = {}, options: RenderOptions = {}): Promise<Manifest> {
  const { kubeVersion = usualVersion, isUpgrade = false } = options
  const key = JSON.stringify([scenario, values, kubeVersion, isUpgrade])
  const rendering = renderings.get(key) ?? renderAnew(scenario, values, options)
  renderings.set(key, rendering)
  return rendering
}

const renderings = new Map<string, Promise<Manifest>>()

/** As `render`, by Helm in any case: for what the chart makes up each time. */
export async function renderAnew(
  scenario: Scenario,
  values: object = {},
  options: RenderOptions = {},
): Promise<Manifest> {
  const { code, stdout, stderr } = await template(scenario, values, options)
  if (code !== 0) throw new Error(stderr)
  // By the parser that is quickest: a rendering has thousands of lines, and there are hundreds of them.
  const objects = loadAll(stdout, { schema: CORE_SCHEMA }) as (KubernetesObject | null)[]
  return new Manifest(objects.filter((one) => one !== null))
}

/** What Helm says to values that it refuses. */
export async function refusal(scenario: Scenario, values: object): Promise<string> {
  const { code, stderr } = await template(scenario, values, {})
  if (code === 0) throw new Error('The values were taken.')
  return stderr
}

const usualVersion = '1.34.0'

/** `1.34.0` and release `shop` in namespace `shops` unless told otherwise. */
export interface RenderOptions {
  kubeVersion?: string
  isUpgrade?: boolean
}

async function template(scenario: Scenario, values: object, { kubeVersion = usualVersion, isUpgrade }: RenderOptions) {
  const folder = await mkdtemp(join(tmpdir(), 'chart-'))
  try {
    const file = join(folder, 'values.yaml')
    writeFileSync(file, JSON.stringify(values))
    const flags = ['--namespace', 'shops', '--kube-version', kubeVersion, ...(isUpgrade ? ['--is-upgrade'] : [])]
    return await runHelm('template', 'shop', chart, ...flags, '-f', `ci/${scenario}-values.yaml`, '-f', file)
  } finally {
    await rm(folder, { recursive: true })
  }
}
