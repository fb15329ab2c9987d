import type { EnvReader } from './env.ts'

/** Reads the settings of tracing, under OpenTelemetry's names. Undefined if no endpoint is set, which disables tracing. */
export function readTracingConfig(env: EnvReader): TracingConfig | undefined {
  const endpoint = env.optional(endpointSetting) && env.url(endpointSetting, ['http:', 'https:'])
  const headers = env.custom('OTEL_EXPORTER_OTLP_HEADERS', parseHeaders, {})
  const ratio = env.custom('OTEL_TRACES_SAMPLER_ARG', parseRatio, 0.1)
  return endpoint ? { endpoint, headers, ratio } : undefined
}

const endpointSetting = 'OTEL_EXPORTER_OTLP_ENDPOINT'

export interface TracingConfig {
  /** Base URL of an OTLP/HTTP collector; spans are sent to `/v1/traces` below it. */
  endpoint: string
  /** Sent with every export; may hold a credential. */
  headers: Readonly<Record<string, string>>
  /** Share of recorded traces, 0 to 1. */
  ratio: number
}

/** Parses "name=value,other=value" with percent-encoded values. */
function parseHeaders(text: string): Record<string, string> {
  const pairs = text.split(',').map((one) => /^\s*([!#$%&'*+.^_`|~0-9A-Za-z-]+)\s*=\s*([\x21-\x7e]*)\s*$/.exec(one))
  try {
    return Object.fromEntries(pairs.map((pair) => [pair?.[1] ?? fail(), decodeURIComponent(pair?.[2] ?? fail())]))
  } catch {
    return fail()
  }
}

function fail(): never {
  throw new Error('must be a list such as authorization=secret,other=value, with percent-encoded values')
}

/** Parses a share from 0 to 1. */
export function parseRatio(text: string): number {
  if (!/^(?:0(?:\.\d{1,9})?|1(?:\.0{1,9})?)$/.test(text)) throw new Error('must be a number from 0 to 1')
  return Number(text)
}
