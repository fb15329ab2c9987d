import { writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CORE_SCHEMA, loadAll } from 'js-yaml'
import { chart, runHelm } from './helm.ts'
import type { KubernetesObject } from './kubernetes-object.ts'
import { Manifest } from './manifest.ts'
import type { Scenario } from './values.ts'

/** The oldest and the newest version of Kubernetes that the chart supports. */
export const oldestKubernetes = '1.27.0'
export const newestKubernetes = '1.36.0'

/**
 * All objects, including hooks, that the chart creates with the values of a scenario and these values over them, as
 * release `shop` in namespace `shops`. The result is cached.
 */
export function render(scenario: Scenario, values: object = {}, options: RenderOptions = {}): Promise<Manifest> {
  const key = JSON.stringify([scenario, values, options.kubeVersion ?? newestKubernetes, options.isUpgrade ?? false])
  const rendering = renderings.get(key) ?? renderUncached(scenario, values, options)
  renderings.set(key, rendering)
  return rendering
}

const renderings = new Map<string, Promise<Manifest>>()

/** Like `render`, but always runs Helm. */
export async function renderUncached(
  scenario: Scenario,
  values: object = {},
  options: RenderOptions = {},
): Promise<Manifest> {
  const { code, stdout, stderr } = await template(scenario, values, options)
  if (code !== 0) throw new Error(stderr)
  return parseManifest(stdout)
}

/** The output of `helm template`. Uses js-yaml, which is several times faster than yaml on large documents. */
export function parseManifest(text: string): Manifest {
  const objects = loadAll(text, { schema: CORE_SCHEMA }) as (KubernetesObject | null)[]
  return new Manifest(objects.filter((one) => one !== null))
}

/** Helm's error message for invalid values. */
export async function renderError(scenario: Scenario, values: object): Promise<string> {
  const { code, stderr } = await template(scenario, values, {})
  if (code === 0) throw new Error('Helm accepted the values.')
  return stderr
}

export interface RenderOptions {
  kubeVersion?: string
  isUpgrade?: boolean
}

async function template(
  scenario: Scenario,
  values: object,
  { kubeVersion = newestKubernetes, isUpgrade }: RenderOptions,
) {
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
