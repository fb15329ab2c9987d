import type { TracingConfig } from '../config/index.ts'
import type { Logger } from '../log/index.ts'
import type { Metrics } from './metrics.ts'

/**
 * Starts tracing where the settings say whereto. The OpenTelemetry SDK is loaded here and only then: without an
 * endpoint a process has none of it in memory.
 */
export async function startTracing(options: TracingOptions): Promise<Tracing> {
  const { config } = options
  if (config === undefined) return { stop: async () => {} }
  const { exportSpans } = await import('./export-spans.ts')
  return exportSpans({ ...options, config })
}

export interface TracingOptions {
  /** Name of the process. */
  service: string
  /** Undefined: off. */
  config: TracingConfig | undefined
  log: Logger
  metrics: Metrics
}

export interface Tracing {
  /** Sends what is still to be sent, for at most 2 s. */
  stop(): Promise<void>
}
