import {
  type Span as ApiSpan,
  SpanKind as ApiSpanKind,
  type Tracer as ApiTracer,
  ROOT_CONTEXT,
  SpanStatusCode,
  TraceFlags,
  trace,
} from '@opentelemetry/api'
import type { Sampler } from './sampler.ts'
import { attributes } from './semantic-conventions.ts'
import type { Span, SpanAttributes, SpanKind, Tracer } from './span.ts'
import { formatTraceparent, type TraceContext } from './trace-context.ts'

/** Adapts an OpenTelemetry tracer. */
export function createTracer(tracer: ApiTracer, samples: Sampler): Tracer {
  return {
    samples,
    start(name, kind, parent, given) {
      const below = parent ? trace.setSpanContext(ROOT_CONTEXT, remoteContext(parent)) : ROOT_CONTEXT
      return new RecordedSpan(tracer.startSpan(name, { kind: kinds[kind], attributes: given }, below))
    },
  }
}

class RecordedSpan implements Span {
  readonly context: TraceContext
  readonly #span: ApiSpan
  #traceparent: string | undefined

  constructor(span: ApiSpan) {
    const { traceId, spanId } = span.spanContext()
    this.context = { traceId, spanId, sampled: true }
    this.#span = span
  }

  get traceparent(): string {
    this.#traceparent ??= formatTraceparent(this.context)
    return this.#traceparent
  }

  rename(name: string): void {
    this.#span.updateName(name)
  }

  set(given: SpanAttributes): void {
    this.#span.setAttributes(given)
  }

  fail(type: string): void {
    this.#span.setAttribute(attributes.errorType, type)
    this.#span.setStatus({ code: SpanStatusCode.ERROR })
  }

  end(): void {
    this.#span.end()
  }
}

function remoteContext({ traceId, spanId }: TraceContext) {
  return { traceId, spanId, traceFlags: TraceFlags.SAMPLED, isRemote: true }
}

const kinds = {
  internal: ApiSpanKind.INTERNAL,
  server: ApiSpanKind.SERVER,
  client: ApiSpanKind.CLIENT,
  producer: ApiSpanKind.PRODUCER,
  consumer: ApiSpanKind.CONSUMER,
} as const satisfies Record<SpanKind, ApiSpanKind>
