import { AsyncLocalStorage } from 'node:async_hooks'
import { childContext, formatTraceparent, parseTraceparent, type TraceContext } from './trace-context.ts'

/**
 * A piece of work that is recorded as part of a trace. There is one only while tracing is on and the trace is sampled,
 * so every seam asks first and builds nothing for the others. Nothing here loads a library: that does `startTracing`,
 * and only when there is somewhere to send spans to.
 */
export interface Span {
  readonly context: TraceContext
  /** For what follows in other processes. */
  readonly traceparent: string
  rename(name: string): void
  set(attributes: SpanAttributes): void
  /** Marks it as failed. @param type a class of errors, never a message */
  fail(type: string): void
  end(): void
}

export type SpanAttributes = Readonly<Record<string, string | number | undefined>>

export type SpanKind = 'internal' | 'server' | 'client' | 'producer' | 'consumer'

/** What makes spans while tracing is on. */
export interface Tracer {
  /** Whether to record a trace that begins in this process, or comes from `caller` outside of the product. */
  samples(caller: TraceContext | undefined): boolean
  start(name: string, kind: SpanKind, parent: TraceContext | undefined, attributes: SpanAttributes): Span
}

let tracer: Tracer | undefined
const active = new AsyncLocalStorage<Span | undefined>()

/** For `startTracing` and for tests; undefined switches tracing off. */
export function setTracer(given: Tracer | undefined): void {
  tracer = given
}

/**
 * Begins the trace of work that comes from outside, or from nobody: decides whether it is recorded.
 * @param caller the context that came with it
 */
export function startTrace(name: string, kind: SpanKind, caller?: TraceContext): Span | undefined {
  return tracer?.samples(caller) ? tracer.start(name, kind, caller, {}) : undefined
}

/** The context of work that `startTrace` has not recorded. Nobody else records it either: what a caller asks for is not passed on. */
export function unrecordedContext(caller?: TraceContext): TraceContext {
  return { ...childContext(caller), sampled: false }
}

/** The context below which a seam starts its span; undefined when nothing is to be recorded. */
export function recordedParent(traceparent: string | null | undefined): TraceContext | undefined {
  return tracer && traceparent?.endsWith('-01') ? parseTraceparent(traceparent) : undefined
}

/** Only with a parent that `recordedParent` or a `Span` has given. */
export function startSpan(
  name: string,
  kind: SpanKind,
  parent: TraceContext,
  attributes: SpanAttributes,
): Span | undefined {
  return tracer?.start(name, kind, parent, attributes)
}

/** The span of the work that the current code is part of. */
export function activeSpan(): Span | undefined {
  return active.getStore()
}

/** Runs it as part of the span: `activeSpan` finds it there, and in everything that follows from there. */
export function withSpan<T>(span: Span | undefined, run: () => T): T {
  // Work without a span may have been set off by other work that has one.
  return span === undefined && active.getStore() === undefined ? run() : active.run(span, run)
}

/** Does the work and ends the span with it; an error fails the span. @param typeOf names the class of an error */
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

/** Runs work that is nobody's request, as a trace of its own. */
export async function inTrace<T>(name: string, work: (traceparent: string) => Promise<T>): Promise<T> {
  const span = startTrace(name, 'internal')
  if (!span) return work(formatTraceparent(unrecordedContext()))
  return withSpan(span, () => endWith(span, () => work(span.traceparent)))
}

/** What an error is, as far as a trace may say: the code of a fault or of Postgres, else the name of its class. */
export function errorType(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name
}
