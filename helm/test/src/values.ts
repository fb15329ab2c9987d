import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { CORE_SCHEMA, load } from 'js-yaml'
import { chart } from './helm.ts'

/** The files below ci/, each a way to install the chart. */
export const scenarios = ['default', 'external', 'bundled', 'ha', 'minimal'] as const
export type Scenario = (typeof scenarios)[number]

/** The values of a scenario over the chart's defaults, merged as Helm merges them: null removes a key. */
export function valuesOf(scenario: Scenario, values: object = {}): Values {
  return [readValues(`ci/${scenario}-values.yaml`), values].reduce(merge, readValues('values.yaml'))
}

/** A values file of the chart. */
export function readValues(file: string): Values {
  return load(readFileSync(join(chart, file), 'utf8'), { schema: CORE_SCHEMA }) as Values
}

function merge(base: Values, over: object): Values {
  const merged: Values = { ...base }
  for (const [key, value] of Object.entries(over)) {
    const current = merged[key]
    if (value === null) delete merged[key]
    else merged[key] = isMap(value) && isMap(current) ? merge(current, value) : value
  }
  return merged
}

function isMap(value: unknown): value is Values {
  return value !== null && typeof value === 'object' && !Array.isArray(value)
}

interface Values {
  [key: string]: unknown
}
