import type { Tracing, TracingOptions } from './export-spans.ts'

/**
 * Starts tracing if an endpoint is configured. Loads the OpenTelemetry SDK only in that case.
 */
export async function startTracing(options: TracingOptions): Promise<Tracing> {
  const { config } = options
  if (config === undefined) return { stop: async () => {} }
  const { exportSpans } = await import('./export-spans.ts')
  return exportSpans({ ...options, config })
}
