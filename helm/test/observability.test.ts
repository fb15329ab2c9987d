import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { components } from './src/code.ts'
import { chart, describeWithHelm } from './src/helm.ts'
import type { Manifest } from './src/manifest.ts'
import { render } from './src/render.ts'

const source = join(chart, 'files/observability')
const dashboards = readdirSync(join(source, 'dashboards'))
const alerts: Groups = parse(readFileSync(join(source, 'alerts.yaml'), 'utf8'))

interface Groups {
  groups: { rules: Rule[] }[]
}

interface Rule {
  alert?: string
  record?: string
  expr: string
  labels?: Record<string, string>
  annotations?: Record<string, string>
}

function rulesOf({ groups }: Groups): Rule[] {
  return groups.flatMap(({ rules }) => rules)
}

function namesOf(groups: Groups): (string | undefined)[] {
  return rulesOf(groups).map(({ alert, record }) => alert ?? record)
}

describeWithHelm('monitoring', async () => {
  const external = await render('external')

  it('is off by default', async () => {
    const manifest = await render('default')
    expect([...manifest.all('ServiceMonitor'), ...manifest.all('PrometheusRule')]).toEqual([])
  })

  it('scrapes every service and the gateway, and keeps their own labels', () => {
    const { spec } = external.one('ServiceMonitor', 'shop-storekeep')
    expect(
      spec.endpoints.map(({ port, path, honorLabels }: Record<string, unknown>) => [port, path, honorLabels]),
    ).toEqual([['metrics', '/metrics', true]])
    const watched = external.all('Service').filter(({ metadata }) => {
      const component = metadata.labels?.['app.kubernetes.io/component'] ?? ''
      return spec.selector.matchExpressions[0].values.includes(component)
    })
    expect(watched).toHaveLength(components.length)
    for (const { spec } of watched) expect(spec.ports).toContainEqual(expect.objectContaining({ name: 'metrics' }))
  })

  it('contains all alerts, restricted to the namespace of the release', () => {
    const { spec, metadata } = external.one('PrometheusRule', 'shop-storekeep')
    expect(metadata.labels?.release).toBe('prometheus')
    expect(namesOf(spec)).toEqual(namesOf(alerts))
    for (const { expr, labels } of rulesOf(spec)) {
      expect(expr.match(/application="storekeep"/g)?.length).toBe(expr.match(/, namespace="shops"/g)?.length)
      expect(labels).toMatchObject({ application: 'storekeep', namespace: 'shops' })
    }
  })

  it('links alerts to their runbooks if runbookBaseUrl is set', async () => {
    const runbookBaseUrl = 'https://git.example.org/storekeep/docs/'
    const linked = await render('external', { metrics: { prometheusRule: { runbookBaseUrl } } })
    const links = (manifest: Manifest) =>
      rulesOf(manifest.one('PrometheusRule', 'shop-storekeep').spec).flatMap(
        ({ annotations }) => annotations?.runbook_url ?? [],
      )
    expect(links(external)).toEqual([])
    expect(links(linked)).toEqual(
      rulesOf(alerts).flatMap(({ alert }) =>
        alert === undefined ? [] : `${runbookBaseUrl}operating.md#${alert.toLowerCase()}`,
      ),
    )
  })

  it.each(dashboards)('provides the dashboard to Grafana: %s', (file) => {
    const name = basename(file, '.json')
    const { data, metadata } = external.one('ConfigMap', `shop-storekeep-dashboard-${name}`)
    expect(metadata.labels?.grafana_dashboard).toBe('1')
    expect(JSON.parse(data[`${name}.json`])).toEqual(JSON.parse(readFileSync(join(source, 'dashboards', file), 'utf8')))
  })
})
