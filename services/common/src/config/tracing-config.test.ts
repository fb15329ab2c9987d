import { describe, expect, it } from 'vitest'
import { createEnvReader } from './env.ts'
import { readTracingConfig } from './tracing-config.ts'

const endpoint = 'http://collector:4318'

function read(settings: Record<string, string>) {
  const env = createEnvReader(settings)
  const config = readTracingConfig(env)
  env.finish()
  return config
}

describe('the tracing settings', () => {
  it('disable tracing without an endpoint', () => {
    expect(read({})).toBeUndefined()
    expect(read({ OTEL_TRACES_SAMPLER_ARG: '1' })).toBeUndefined()
  })

  it('record 10 % of traces by default', () => {
    expect(read({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint })).toEqual({ endpoint, headers: {}, ratio: 0.1 })
    expect(read({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_TRACES_SAMPLER_ARG: '0.25' })?.ratio).toBe(0.25)
  })

  it('parse headers as OpenTelemetry specifies', () => {
    const given = {
      OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Basic%20a%3D, x-scope=1',
    }
    expect(read(given)?.headers).toEqual({ authorization: 'Basic a=', 'x-scope': '1' })
  })

  it.each([
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4318'],
    ['OTEL_TRACES_SAMPLER_ARG', '1.5'],
    ['OTEL_TRACES_SAMPLER_ARG', 'parentbased'],
    ['OTEL_TRACES_SAMPLER_ARG', '-0.1'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'a b'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'sesame'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'authorization=%zz'],
  ])('reject %s=%s and quote no value', (name, value) => {
    expect(() => read({ [name]: value })).toThrow(name)
    expect(() => read({ [name]: value })).not.toThrow(value)
  })
})
