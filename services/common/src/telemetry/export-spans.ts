import { readFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { AlwaysOnSampler, TracerProvider } from '@opentelemetry/sdk-trace'
import type { TracingConfig } from '../config/index.ts'
import type { Logger } from '../log/index.ts'
import type { Metrics } from './metrics.ts'
import { createSampler } from './sampler.ts'
import { attributes } from './semantic-conventions.ts'
import { setTracer } from './span.ts'
import { createSpanQueue } from './span-queue.ts'
import { createTracer } from './tracer.ts'

/**
 * Records spans and sends them to the endpoint in the background. An unavailable or slow collector does not affect requests.
 */
export function exportSpans({ service, config, log, metrics }: TracingOptions & { config: TracingConfig }): Tracing {
  const exporter = new OTLPTraceExporter({
    url: `${config.endpoint.replace(/\/+$/, '')}/v1/traces`,
    headers: { ...config.headers },
    timeoutMillis: exportTimeoutMs,
    // Allows the whole queue to be exported on shutdown, in addition to exports in flight.
    concurrencyLimit: 8,
  })
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      [attributes.serviceName]: service,
      [attributes.serviceVersion]: version,
      [attributes.serviceInstanceId]: `${hostname()}-${process.pid}`,
    }),
    // Sampling happens before; see `startTrace`.
    sampler: new AlwaysOnSampler(),
    spanLimits: { attributeValueLengthLimit: 256 },
    spanProcessors: [createSpanQueue({ exporter, exportTimeoutMs, log, metrics })],
  })
  setTracer(createTracer(provider.getTracer('storekeep'), createSampler({ ratio: config.ratio })))
  log.info({ target: new URL(config.endpoint).host }, 'trace export enabled')
  return {
    async stop() {
      setTracer(undefined)
      const giveUp = new AbortController()
      await Promise.race([
        provider.shutdown().catch(() => {}),
        sleep(stopTimeoutMs, undefined, { signal: giveUp.signal }).catch(() => {}),
      ])
      giveUp.abort()
    },
  }
}

const exportTimeoutMs = 5000
const stopTimeoutMs = 2000

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string
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
