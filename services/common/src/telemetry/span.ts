import { AsyncLocalStorage } from 'node:async_hooks'
import { childContext, formatTraceparent, parseTraceparent, type TraceContext } from './trace-context.ts'

/**
 * A recorded piece of work of a trace. Spans exist only while tracing is enabled and the trace is sampled; instrumented
 * code checks that first. This file loads no tracing library: `startTracing` does, if tracing is enabled.
 */
export interface Span {
  readonly context: TraceContext
  /** Propagates the trace to other processes. */
  readonly traceparent: string
  rename(name: string): void
  set(attributes: SpanAttributes): void
  /** Marks it as failed. @param type a class of errors, never a message */
  fail(type: string): void
  end(): void
}

export type SpanAttributes = Readonly<Record<string, string | number | undefined>>

export type SpanKind = 'internal' | 'server' | 'client' | 'producer' | 'consumer'

/** Creates spans while tracing is enabled. */
export interface Tracer {
  /** Whether to record a trace that starts here, or that an external caller started. */
  samples(caller: TraceContext | undefined): boolean
  start(name: string, kind: SpanKind, parent: TraceContext | undefined, attributes: SpanAttributes): Span
}

let tracer: Tracer | undefined
const active = new AsyncLocalStorage<Span | undefined>()

/** For `startTracing` and tests. Undefined disables tracing. */
export function setTracer(given: Tracer | undefined): void {
  tracer = given
}

/**
 * Starts a trace and decides whether it is recorded.
 * @param caller trace context of an external caller
 * @returns undefined if the trace is not recorded
 */
export function startTrace(name: string, kind: SpanKind, caller?: TraceContext): Span | undefined {
  return tracer?.samples(caller) ? tracer.start(name, kind, caller, {}) : undefined
}

/** The context of a trace that `startTrace` did not record. It is never sampled, regardless of the caller's request. */
export function unrecordedContext(caller?: TraceContext): TraceContext {
  return { ...childContext(caller), sampled: false }
}

/** The parent context for `startSpan`; undefined if the trace is not recorded. */
export function recordedParent(traceparent: string | null | undefined): TraceContext | undefined {
  return tracer && traceparent?.endsWith('-01') ? parseTraceparent(traceparent) : undefined
}

/** Starts a span. @param parent from `recordedParent` or a `Span` */
export function startSpan(
  name: string,
  kind: SpanKind,
  parent: TraceContext,
  attributes: SpanAttributes,
): Span | undefined {
  return tracer?.start(name, kind, parent, attributes)
}

/** The span of the current asynchronous context. */
export function activeSpan(): Span | undefined {
  return active.getStore()
}

/** Runs a function with `span` as the active span, including everything it starts asynchronously. */
export function withSpan<T>(span: Span | undefined, run: () => T): T {
  // Work without a span may run in the asynchronous context of a span.
  return span === undefined && active.getStore() === undefined ? run() : active.run(span, run)
}

/** Does the work and then ends the span; an error fails it. @param typeOf maps an error to its type */
export async function endWith<T>(span: Span, work: () => Promise<T>, typeOf = errorType): Promise<T> {
  try {
    return await work()
  } catch (error) {
    span.fail(typeOf(error))
    throw error
  } finally {
    span.end()
  }
}

/** Runs background work as a new trace. */
export async function inTrace<T>(name: string, work: (traceparent: string) => Promise<T>): Promise<T> {
  const span = startTrace(name, 'internal')
  if (!span) return work(formatTraceparent(unrecordedContext()))
  return withSpan(span, () => endWith(span, () => work(span.traceparent)))
}

/** The type of an error for spans: its code (of a fault or of Postgres), otherwise its class. */
export function errorType(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name
}
