import { rules } from './files.ts'
import type { Selection } from './promql.ts'
import type { Scrape } from './scrape.ts'

/** What of a selection no process prints: its metric, a label of it, or the one value that it asks for. */
export function unknownParts({ metric, matchers, groupings }: Selection, { samples }: Scrape): string[] {
  if (records.has(metric)) return []
  const labels = samples.get(metric)
  if (!labels) return [metric]
  return [
    ...groupings
      .filter((label) => !labels.has(label) && !targetLabels.has(label))
      .map((label) => `${metric} by ${label}`),
    ...matchers.flatMap(({ label, value }) => {
      const values = labels.get(label)
      if (!values) return targetLabels.has(label) ? [] : [`${metric}{${label}}`]
      const mayBeMissing = value === undefined || statusLabels.has(label)
      return mayBeMissing || values.has(value) ? [] : [`${metric}{${label}="${value}"}`]
    }),
  ]
}

const records = new Set(rules.flatMap(({ record }) => record ?? []))
/** Put on every sample by Prometheus itself. */
const targetLabels = new Set(['instance', 'job'])
/** Which statuses there are depends on what has gone wrong. */
const statusLabels = new Set(['rpc_status_code', 'http_response_status_code'])
