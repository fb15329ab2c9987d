import { InMemorySpanExporter, type ReadableSpan, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import { setTracer } from '../src/telemetry/span.ts'
import { createTracer } from '../src/telemetry/tracer.ts'

/** Turns on tracing in this process and records the spans of every trace until `stop`. */
export function recordSpans(): SpanRecord {
  const exporter = new InMemorySpanExporter()
  const provider = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] })
  setTracer(createTracer(provider.getTracer('test'), (caller) => caller?.sampled ?? true))
  return {
    spans: () =>
      exporter.getFinishedSpans().map((span) => ({
        name: span.name,
        kind: kinds[span.kind] ?? '',
        traceId: span.spanContext().traceId,
        spanId: span.spanContext().spanId,
        parentId: span.parentSpanContext?.spanId,
        attributes: span.attributes,
        failed: span.status.code === 2,
      })),
    stop: () => setTracer(undefined),
  }
}

const kinds = ['internal', 'server', 'client', 'producer', 'consumer']

export interface RecordedSpan {
  name: string
  kind: string
  traceId: string
  spanId: string
  parentId: string | undefined
  attributes: ReadableSpan['attributes']
  failed: boolean
}

export interface SpanRecord {
  /** The spans that have ended, in order of their end. */
  spans(): RecordedSpan[]
  stop(): void
}
