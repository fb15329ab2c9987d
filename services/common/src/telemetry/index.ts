export { createMetrics, type Metrics } from './metrics.ts'
export { startObserveServer } from './observe-server.ts'
export { childContext, formatTraceparent, parseTraceparent, type TraceContext } from './trace-context.ts'
