export type { Counter } from 'prom-client'
export type { Tracing } from './export-spans.ts'
export { createMetrics, type Metrics } from './metrics.ts'
export { startObserveServer } from './observe-server.ts'
export { attributes, values } from './semantic-conventions.ts'
export {
  activeSpan,
  endWith,
  errorType,
  inTrace,
  recordedParent,
  type Span,
  type SpanAttributes,
  startSpan,
  startTrace,
  unrecordedContext,
  withSpan,
} from './span.ts'
export { startTracing } from './start-tracing.ts'
export { childContext, formatTraceparent, parseTraceparent, type TraceContext } from './trace-context.ts'
