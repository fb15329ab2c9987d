import { expect, it } from 'vitest'
import { components, configReader, problemsOf } from './src/code.ts'
import { evaluate } from './src/evaluate.ts'
import { describeWithHelm } from './src/helm.ts'
import type { Manifest } from './src/manifest.ts'
import { render } from './src/render.ts'

const endpoint = 'http://otel-collector.monitoring:4318'
const monitoring = [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'monitoring' } } }]

describeWithHelm('tracing', async () => {
  const without = await render('default')
  const traced = await render('default', {
    telemetry: { otlp: { endpoint }, samplingRatio: 0.25 },
    secrets: { OTEL_EXPORTER_OTLP_HEADERS: { value: 'authorization=sesame' } },
    networkPolicy: { collector: { to: monitoring } },
  })

  it.each(components)('is off in %s without a collector', (component) => {
    const names = Object.keys(without.settings(component))
    expect(names.filter((name) => name.startsWith('OTEL_'))).toEqual([])
    expect(portsOf(without, component)).not.toContain(4318)
  })

  it.each(components)('exports from %s to the collector, with credentials', async (component) => {
    const settings = traced.settings(component)
    expect(settings).toMatchObject({
      OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
      OTEL_TRACES_SAMPLER_ARG: '0.25',
      OTEL_EXPORTER_OTLP_HEADERS: 'shop-storekeep/OTEL_EXPORTER_OTLP_HEADERS',
    })
    const read = await configReader(component)
    const problems = problemsOf(() => read({ ...settings, OTEL_EXPORTER_OTLP_HEADERS: 'authorization=sesame' }))
    expect(problems.filter((one) => one.startsWith('OTEL_'))).toEqual([])
  })

  it.each(components)('allows %s to reach the collector', (component) => {
    const rule = egressOf(traced, component).find(({ ports }) => ports[0]?.port === 4318)
    expect(rule).toEqual({ ports: [{ port: 4318, protocol: 'TCP' }], to: monitoring })
  })

  it('allows egress on the port of the endpoint', async () => {
    const ports = {
      'https://otlp.example.org': 443,
      'http://collector/otlp': 80,
      'https://collector:4400/v1:1': 4400,
      'http://[fd00::1]:4318': 4318,
      'http://[fd00::1]': 80,
    }
    const expression = 'include "storekeep.collectorPort" $root'
    const found = await evaluate(
      Object.keys(ports).map((address) => ({ values: { telemetry: { otlp: { endpoint: address } } }, expression })),
    )
    expect(found).toEqual(Object.values(ports).map(String))
  })

  it('writes the sampling ratio in plain decimals', async () => {
    const expression = 'include "storekeep.decimal" $root.Values.telemetry.samplingRatio'
    const found = await evaluate(
      [0, 0.00002, 1].map((samplingRatio) => ({ values: { telemetry: { samplingRatio } }, expression })),
    )
    expect(found).toEqual(['0', '0.00002', '1'])
  })

  it('exports without credentials if none are set', async () => {
    const manifest = await render('default', { telemetry: { otlp: { endpoint } } })
    const settings = manifest.settings('gateway')
    expect(settings.OTEL_TRACES_SAMPLER_ARG).toBe('0.1')
    expect(settings).not.toHaveProperty('OTEL_EXPORTER_OTLP_HEADERS')
  })
})

function egressOf(manifest: Manifest, component: string): Rule[] {
  return manifest.one('NetworkPolicy', `shop-storekeep-${component}`).spec.egress
}

function portsOf(manifest: Manifest, component: string): number[] {
  return egressOf(manifest, component).flatMap(({ ports }) => ports.map(({ port }) => port))
}

interface Rule {
  ports: { port: number; protocol: string }[]
  to?: object[]
}
