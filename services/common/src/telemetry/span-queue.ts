import { BatchSpanProcessor, type ReadableSpan, type SpanExporter, type SpanProcessor } from '@opentelemetry/sdk-trace'
import type { Logger } from '../log/index.ts'
import type { Metrics } from './metrics.ts'

/**
 * Collects ended spans and exports them in batches. At most 2,048 wait, those under way to the collector included; what
 * comes beyond that is dropped. Exports `trace_spans_exported_total` and `trace_spans_dropped_total`, and says in the
 * log when exports begin to fail and when they work again, not each time.
 */
export function createSpanQueue({ exporter, exportTimeoutMs, log, metrics }: SpanQueueOptions): SpanProcessor {
  const exported = metrics.counter('trace_spans_exported_total', 'Spans accepted by the trace collector.')
  const dropped = metrics.counter(
    'trace_spans_dropped_total',
    'Spans dropped before they reached a trace collector, by reason.',
    ['reason'],
  )
  for (const reason of ['queue-full', 'export-failed']) dropped.inc({ reason }, 0)
  let waiting = 0
  let isFailing = false

  function settle(count: number, error: Error | undefined): void {
    waiting -= count
    if (error) dropped.inc({ reason: 'export-failed' }, count)
    else exported.inc(count)
    // Its message may quote the answer of a server that is not ours; its class says enough.
    if (error && !isFailing) log.warn({ reason: reasonOf(error) }, 'traces cannot be sent; they are dropped')
    if (!error && isFailing) log.info('traces are sent again')
    isFailing = error !== undefined
  }

  const batches = new BatchSpanProcessor({
    exporter: {
      export: (spans, done) =>
        exporter.export(spans, (result) => {
          settle(spans.length, result.code === 0 ? undefined : (result.error ?? new Error('failed')))
          done(result)
        }),
      shutdown: () => exporter.shutdown(),
    },
    maxQueueSize,
    maxExportBatchSize: 512,
    scheduledDelayMillis: 1000,
    exportTimeoutMillis: exportTimeoutMs + 1000,
  })

  return {
    onStart() {},
    onEnd(span: ReadableSpan) {
      if (waiting >= maxQueueSize) {
        dropped.inc({ reason: 'queue-full' })
        return
      }
      waiting += 1
      batches.onEnd(span)
    },
    forceFlush: () => batches.forceFlush(),
    shutdown: () => batches.shutdown(),
  }
}

const maxQueueSize = 2048

interface SpanQueueOptions {
  exporter: SpanExporter
  /** After which an export of the exporter has failed. */
  exportTimeoutMs: number
  log: Logger
  metrics: Metrics
}

/** `ECONNREFUSED` of an error or of one of those that it sums up, else its class. */
function reasonOf(error: Error): string {
  const inner = error instanceof AggregateError && error.errors[0] instanceof Error ? error.errors[0] : error
  return 'code' in inner && inner.code !== undefined ? String(inner.code) : inner.name
}
