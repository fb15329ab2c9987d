import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { chart, whyNoHelm } from './src/helm.ts'
import type { Manifest } from './src/manifest.ts'
import { render } from './src/render.ts'

const source = fileURLToPath(new URL('../../deploy/observability', import.meta.url))
const copy = join(chart, 'files/observability')
const files = ['alerts.yaml', ...readdirSync(join(source, 'dashboards')).map((name) => `dashboards/${name}`)]
const alerts: { groups: unknown[] } = parse(readFileSync(join(source, 'alerts.yaml'), 'utf8'))

describe('alerts and dashboards', () => {
  it.each(files)('are copied into the chart: %s', (file) => {
    expect(readFileSync(join(copy, file), 'utf8')).toBe(readFileSync(join(source, file), 'utf8'))
  })

  it('are copied into the chart all', () => {
    expect(readdirSync(join(copy, 'dashboards'))).toEqual(readdirSync(join(source, 'dashboards')))
  })
})

describe.skipIf(whyNoHelm)(`what is watched (${whyNoHelm ?? 'by Helm'})`, () => {
  let external: Manifest

  beforeAll(async () => {
    external = await render('external')
  })

  it('is nothing unless somebody asks for it', async () => {
    const manifest = await render('default')
    expect([...manifest.all('ServiceMonitor'), ...manifest.all('PrometheusRule')]).toEqual([])
  })

  it('is every service and the gateway, by the names that they print themselves', () => {
    const { spec } = external.one('ServiceMonitor', 'shop-storekeep')
    expect(
      spec.endpoints.map(({ port, path, honorLabels }: Record<string, unknown>) => [port, path, honorLabels]),
    ).toEqual([
      ['metrics', '/metrics', true],
      ['http', '/metrics', true],
    ])
    const watched = external.all('Service').filter(({ metadata }) => {
      const component = metadata.labels?.['app.kubernetes.io/component'] ?? ''
      return spec.selector.matchExpressions[0].values.includes(component)
    })
    expect(watched).toHaveLength(external.all('Deployment').length)
  })

  it('are the alerts, as they are', () => {
    const { spec, metadata } = external.one('PrometheusRule', 'shop-storekeep')
    expect(spec).toEqual(alerts)
    expect(metadata.labels?.release).toBe('prometheus')
  })

  it.each(files.slice(1))('are the dashboards, where Grafana looks for them: %s', (file) => {
    const name = basename(file, '.json')
    const { data, metadata } = external.one('ConfigMap', `shop-storekeep-dashboard-${name}`)
    expect(metadata.labels?.grafana_dashboard).toBe('1')
    expect(JSON.parse(data[`${name}.json`])).toEqual(JSON.parse(readFileSync(join(source, file), 'utf8')))
  })
})
