import { rules } from './files.ts'
import type { Selection } from './promql.ts'
import type { Scrape } from './scrape.ts'

/** The parts of a selector that no process exports: the metric, labels and label values. */
export function unknownParts({ metric, matchers, groupings }: Selection, { samples }: Scrape): string[] {
  if (records.has(metric)) return []
  if (withTls.has(metric) || withTraces.has(metric)) return []
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
/** Exported only with TLS; test/faults/tls.test.ts checks them. */
export const withTls: ReadonlySet<string> = new Set([
  'tls_certificate_start_timestamp_seconds',
  'tls_certificate_expiry_timestamp_seconds',
])
/** Exported only with traces; test/faults/telemetry.test.ts checks them. */
const withTraces = new Set(['trace_spans_dropped_total'])
/** Added by Prometheus. */
const targetLabels = new Set(['instance', 'job'])
/** Labels whose values depend on the errors that occurred. */
const statusLabels = new Set(['rpc_status_code', 'http_response_status_code'])
