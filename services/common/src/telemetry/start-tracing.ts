import type { Tracing, TracingOptions } from './export-spans.ts'

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
