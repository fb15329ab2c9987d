import { BatchSpanProcessor, type ReadableSpan, type SpanExporter, type SpanProcessor } from '@opentelemetry/sdk-trace'
import { firstCause } from '../errors/index.ts'
import type { Logger } from '../log/index.ts'
import type { Metrics } from './metrics.ts'

/**
 * Exports ended spans in batches. Holds up to 2,048 spans, including those being exported, and drops the rest. Counts
 * them in `trace_spans_dropped_total`. Logs when exports start to fail and when they recover.
 */
export function createSpanQueue({ exporter, exportTimeoutMs, log, metrics }: SpanQueueOptions): SpanProcessor {
  const dropped = metrics.counter(
    'trace_spans_dropped_total',
    'Spans dropped before they reached a trace collector, by reason.',
    ['reason'],
    { reason: ['queue-full', 'export-failed'] },
  )
  let waiting = 0
  let isFailing = false

  function settle(count: number, error: Error | undefined): void {
    waiting -= count
    if (error) dropped.inc({ reason: 'export-failed' }, count)
    // The error message may quote the collector's response, so only the error code is logged.
    if (error && !isFailing) log.warn({ reason: reasonOf(error) }, 'trace export failed: dropping spans')
    if (!error && isFailing) log.info('trace export recovered')
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
  /** Timeout of an export. */
  exportTimeoutMs: number
  log: Logger
  metrics: Metrics
}

/** The code of the error, or of the first error it aggregates (`ECONNREFUSED`); otherwise its class. */
function reasonOf(error: Error): string {
  const inner = firstCause(error)
  if (!(inner instanceof Error)) return error.name
  return 'code' in inner && inner.code !== undefined ? String(inner.code) : inner.name
}
